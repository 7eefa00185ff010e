// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/check_result.h"

#include <stdarg.h>
#include <stdlib.h>

#include "analysis/moves.h"
#include "base/memory.h"
#include "base/text.h"

const char *const check_change_words[CHANGE_COUNT] = {
	[CHANGE_NONE] = "ok", [CHANGE_BETTER] = "better", [CHANGE_WORSE] = "worse",
};
const char *const check_outcome_words[CHECK_OUTCOME_COUNT] = {
	[CHECK_HELD] = "ok",
	[CHECK_NOT_COMPARABLE] = "not comparable",
	[CHECK_INEXACT] = "not exact",
	[CHECK_REGRESSED] = "FAIL",
};

static struct count_range range_of(const struct baseline_metric *metric)
{
	return metric ? (struct count_range){ metric->least, metric->most } : (struct count_range){ 0 };
}

enum check_change check_change__of(enum baseline_kind kind, const struct baseline_metric *then,
				   const struct baseline_metric *now)
{
	const enum shown shown = count_range__shows(range_of(now), range_of(then));

	if (shown == SHOWN_NOTHING)
		return CHANGE_NONE;
	return shown == SHOWN_LESS && kind != BASELINE_SETTING ? CHANGE_BETTER : CHANGE_WORSE;
}

bool check_finding__fails(const struct check_finding *finding)
{
	return finding->change == CHANGE_WORSE && baseline_kinds[finding->kind].gates;
}

bool check_finding__improves(const struct check_finding *finding)
{
	return finding->change == CHANGE_BETTER && baseline_kinds[finding->kind].gates;
}

static bool gates(const struct check_finding *finding)
{
	return baseline_kinds[finding->kind].gates;
}

/* Of findings that are parts of others, too, or not. */
static size_t count(const struct check_result *result, bool (*holds)(const struct check_finding *finding), bool parts)
{
	size_t count = 0;

	for (size_t i = 0; i < result->finding_count; i++)
		count += holds(&result->findings[i]) && (parts || !result->findings[i].part);
	return count;
}

size_t check_result__failures(const struct check_result *result)
{
	return count(result, check_finding__fails, true);
}

size_t check_result__improvements(const struct check_result *result)
{
	return count(result, check_finding__improves, true);
}

size_t check_result__gates(const struct check_result *result)
{
	return count(result, gates, true);
}

size_t check_result__failed_causes(const struct check_result *result)
{
	return count(result, check_finding__fails, false);
}

size_t check_result__cases(const struct check_result *result)
{
	return count(result, gates, false);
}

enum check_outcome check_results__outcome(const struct check_results *results)
{
	enum check_outcome worst = CHECK_HELD;

	for (size_t i = 0; i < results->count; i++)
		if (results->results[i].outcome > worst)
			worst = results->results[i].outcome;
	return worst;
}

void check_finding__say(struct check_finding *finding, const char *format, ...)
{
	va_list arguments;

	finding->reasons = checked_grow(finding->reasons, finding->reason_count, sizeof(*finding->reasons));
	va_start(arguments, format);
	finding->reasons[finding->reason_count++] = text__of_list(format, arguments);
	va_end(arguments);
}

void check_result__release(struct check_result *result)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		for (size_t k = 0; k < result->findings[i].reason_count; k++)
			free(result->findings[i].reasons[k]);
		free(result->findings[i].reasons);
	}
	free(result->findings);
	free(result->reason);
	baseline_context__release(&result->now);
}
