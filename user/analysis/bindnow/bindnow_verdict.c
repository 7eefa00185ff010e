// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow_verdict.h"

#include <stdbool.h>

/* Is even the end of the interval that is next to 0 beyond what can be explained? */
static bool is_beyond(const struct bindnow_evidence *evidence)
{
	const struct estimate *time = &evidence->time;

	return time->low > evidence->explained || time->high < -evidence->explained; /* false with NAN */
}

static enum bindnow_outcome judge(const struct bindnow_evidence *evidence, enum shown time)
{
	if (!evidence->may_matter)
		return OUTCOME_NOTHING_TO_BIND;
	if (time == SHOWN_UNKNOWN)
		return OUTCOME_NOT_MEASURED;
	if (time == SHOWN_NOTHING)
		return OUTCOME_NOT_SHOWN;
	if (is_beyond(evidence))
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
