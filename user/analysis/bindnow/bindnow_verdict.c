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
	enum shown whole = verdict->cpu;

	if (contradict(verdict->wall, verdict->cpu))
		return OUTCOME_UNCLEAR;
	if (whole != SHOWN_LESS && whole != SHOWN_MORE && verdict->wall != SHOWN_UNKNOWN)
		whole = verdict->wall;
	if (whole == SHOWN_UNKNOWN)
		return OUTCOME_NOT_MEASURED;
	if (whole == SHOWN_NOTHING)
		return OUTCOME_NOT_SHOWN;
	if (contradict(whole, verdict->children))
		return OUTCOME_UNCLEAR;
	return whole == SHOWN_LESS ? OUTCOME_PAYS : OUTCOME_COSTS;
}

struct bindnow_verdict bindnow_verdict__of(const struct bindnow_evidence *evidence)
{
	struct bindnow_verdict verdict = {
		.wall = estimate__shows(&evidence->wall_ratio, 1),
		.cpu = estimate__shows(&evidence->cpu_ratio, 1),
		.faults = estimate__shows(&evidence->faults, 0),
		.children = by_children(&evidence->in_time, evidence->children),
	};

	verdict.outcome = evidence->may_matter ? judge(&verdict) : OUTCOME_NOTHING_TO_BIND;
	return verdict;
}
