/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the kernel has counted of a phase, which the rows of the anatomy must add up to.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_PHASE_TOTALS_H
#define FORKTAX_ANALYSIS_FORKS_PHASE_TOTALS_H

#include "model/run.h"

/* What a phase of a group comes to by the kernel's count. */
struct phase_totals {
	double children; /* recorded ones: what counts are divided by */
	double total; /* faults; NAN: the kernel does not count this phase apart */
	double unattributed, missed, beyond;
	double unsampled; /* phase EXEC only: after forks of children that are not recorded */
};

struct phase_totals phase_totals__of(const struct run *run, uint32_t group, enum phase phase);
/*
 * Of the total, what neither rows (`faults` in all) nor the totals explain. In images that were
 * exec'd these are copies made as a parent, which are listed with the children.
 */
double phase_totals__rest(const struct phase_totals *totals, double faults);

#endif
