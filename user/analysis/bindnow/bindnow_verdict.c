// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow_verdict.h"

#include <math.h>

static enum shown by_children(const struct break_even *even, double children)
{
	if (isnan(children) || children == 0)
		return SHOWN_UNKNOWN;
	switch (even->pays) {
	case PAYS_ALWAYS:
		return SHOWN_LESS;
	case PAYS_NEVER:
		return SHOWN_MORE;
	case PAYS_AFTER:
		if (even->low && children < (double)even->low)
			return SHOWN_MORE;
		return even->high && children >= (double)even->high ? SHOWN_LESS : SHOWN_NOTHING;
	case PAYS_AT_LATEST:
		return even->high && children >= (double)even->high ? SHOWN_LESS : SHOWN_NOTHING;
	case PAYS_NO_DIFFERENCE:
		return SHOWN_NOTHING;
	default:
		return SHOWN_UNKNOWN;
	}
}

static bool contradict(enum shown a, enum shown b)
{
	return (a == SHOWN_LESS && b == SHOWN_MORE) || (a == SHOWN_MORE && b == SHOWN_LESS);
}

static enum bindnow_outcome judge(const struct bindnow_verdict *verdict)
{
	if (verdict->time == SHOWN_UNKNOWN)
		return OUTCOME_NOT_MEASURED;
	if (verdict->time == SHOWN_NOTHING)
		return OUTCOME_NOT_SHOWN;
	if (contradict(verdict->time, verdict->children))
		return OUTCOME_UNCLEAR;
	return verdict->time == SHOWN_LESS ? OUTCOME_PAYS : OUTCOME_COSTS;
}

struct bindnow_verdict bindnow_verdict__of(const struct bindnow_evidence *evidence)
{
	struct bindnow_verdict verdict = {
		.time = estimate__shows(&evidence->ratio, 1),
		.faults = estimate__shows(&evidence->faults, 0),
		.children = by_children(&evidence->in_time, evidence->children),
	};

	verdict.outcome = evidence->may_matter ? judge(&verdict) : OUTCOME_NOTHING_TO_BIND;
	return verdict;
}
