// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/check/check_report.h"

char *check_words__metric(const struct check_finding *finding)
{
	const struct baseline_metric metric = { .kind = finding->kind, .name = (char *)finding->name };

	return baseline_metric__words(&metric);
}

static char *range(uint64_t least, uint64_t most)
{
	return least == most ? text__of("%" PRIu64, most)
			     : text__of("%" PRIu64 "..%" PRIu64, least, most);
}

char *check_words__change(const struct check_finding *finding)
{
	char *now = range(finding->now_least, finding->now_most);
	char *then = range(finding->then_least, finding->then_most);
	char *text = text__of("%s, %s before", now, then);

	free(now);
	free(then);
	return text;
}

char *check_words__reasons(const struct check_finding *finding)
{
	char *text = checked_strdup("");

	for (size_t i = 0; i < finding->reason_count; i++)
		text__replace(&text, "%s%s%s", text, i ? "; " : "", finding->reasons[i]);
	return text;
}

static char *failures(const struct check_result *result)
{
	const size_t count = check_result__failures(result), gates = check_result__gates(result);

	if (!count)
		return checked_strdup("");
	return text__of("%s%zu of %zu metrics %s worse", result->reason ? "; " : "", count, gates,
			count == 1 ? "is" : "are");
}

char *check_words__outcome(const struct check_result *result)
{
	const char *word = check_outcome_words[result->outcome];
	const size_t better = check_result__improvements(result);
	char *worse, *text;

	if (result->outcome == CHECK_ELSEWHERE || result->outcome == CHECK_INEXACT)
		return text__of("%s: %s", word, result->reason);
	if (result->outcome == CHECK_HELD)
		return better ? text__of("%s: %zu metrics, %zu of them better", word,
					 check_result__gates(result), better)
			      : text__of("%s: %zu metrics", word, check_result__gates(result));
	worse = failures(result);
	text = text__of("%s: %s%s", word, result->reason ? result->reason : "", worse);
	free(worse);
	return text;
}
