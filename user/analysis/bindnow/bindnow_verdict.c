// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow_verdict.h"

#include "analysis/explained.h"

static enum bindnow_outcome judge(const struct bindnow_evidence *evidence, enum shown time)
{
	if (!evidence->may_matter)
		return OUTCOME_NOTHING_TO_BIND;
	if (time == SHOWN_UNKNOWN)
		return OUTCOME_NOT_MEASURED;
	if (time == SHOWN_NOTHING)
		return OUTCOME_NOT_SHOWN;
	if (explained__is_exceeded(&evidence->time, evidence->explained))
		return OUTCOME_UNEXPLAINED;
	return time == SHOWN_LESS ? OUTCOME_PAYS : OUTCOME_COSTS;
}

struct bindnow_verdict bindnow_verdict__of(const struct bindnow_evidence *evidence)
{
	const enum shown time = estimate__shows(&evidence->ratio, 1);

	return (struct bindnow_verdict){
		.outcome = judge(evidence, time),
		.time = time,
		.faults = estimate__shows(&evidence->faults, 0),
	};
}
