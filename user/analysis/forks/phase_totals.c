// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/phase_totals.h"

#include <math.h>

struct phase_totals phase_totals__of(const struct run *run, uint32_t group, enum phase phase)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	struct phase_totals totals = { .total = NAN };

	if (!sample)
		return totals;
	totals.children = sample->children;
	switch (phase) {
	case PHASE_CHILD:
		totals.total = sample->child_faults;
		totals.unattributed = sample->child_unattributed;
		totals.missed = sample->child_missed;
		totals.beyond = sample->child_beyond;
		break;
	case PHASE_EXEC:
		totals.total = (double)sample->faults - sample->child_faults;
		totals.unattributed = (double)sample->unattributed - sample->child_unattributed;
		totals.missed = (double)sample->missed - sample->child_missed;
		totals.beyond = (double)sample->beyond - sample->child_beyond;
		totals.unsampled = sample->unsampled;
		break;
	case PHASE_PARENT:
		totals.beyond = sample->parent_beyond;
		break;
	default:
		break;
	}
	return totals;
}

double phase_totals__rest(const struct phase_totals *totals, double faults)
{
	return isfinite(totals->total) ? totals->total - faults - totals->unattributed -
						 totals->missed - totals->beyond - totals->unsampled
				       : 0;
}
