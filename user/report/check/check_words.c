// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "analysis/check/finding_groups.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "report/check/check_report.h"

char *check_words__metric(const struct check_finding *finding)
{
	const struct baseline_metric metric = { .kind = finding->kind, .name = (char *)finding->name };

	return baseline_metric__words(&metric);
}

char *check_words__change(const struct check_finding *finding)
{
	autofree char *now = quantity__count_bounds(finding->now_least, finding->now_most);
	autofree char *then = quantity__count_bounds(finding->then_least, finding->then_most);

	return text__of("%s, %s before", now, then);
}

char *check_words__reasons(const struct check_finding *finding)
{
	char *text = checked_strdup("");

	for (size_t i = 0; i < finding->reason_count; i++)
		text__replace(&text, "%s%s%s", text, i ? "; " : "", finding->reasons[i]);
	return text;
}

/* "new kind of process: vfork of x, exec of sh: 1 process, 170 system calls, 83 page faults (--all lists them)" */
static char *group_title(const struct check_result *result, const struct check_finding *group, bool is_gone)
{
	const uint64_t faults = finding_group__faults(result, group);

	return text__of("%s: %s: %s, %s%s%s (--all lists them)",
			is_gone ? "kind of process gone" : "new kind of process", group->of,
			quantity__count(is_gone ? group->then_most : group->now_most, "process", "processes").text,
			quantity__count(finding_group__calls(result, group), "system call", "system calls").text,
			faults ? ", " : "", faults ? quantity__count(faults, "page fault", "page faults").text : "");
}

char *check_words__title(const struct check_result *result, const struct check_finding *finding)
{
	const bool is_gone = check_finding__is_gone_group(finding);
	autofree char *metric = check_words__metric(finding);

	if (is_gone || check_finding__is_new_group(finding))
		return group_title(result, finding, is_gone);
	return text__of("%s: %s", finding->of, metric);
}

char *check_words__line(const struct check_result *result, const struct check_finding *finding)
{
	autofree char *title = check_words__title(result, finding), *change = check_words__change(finding);
	char *line;

	if (check_finding__is_new_group(finding) || check_finding__is_gone_group(finding))
		line = checked_strdup(title);
	else
		line = text__of("%s: %s", title, change);
	return line;
}

/* "1 of 35 metrics regressed", or "41 of 62 metrics regressed, from 7 causes" */
static char *failures(const struct check_result *result)
{
	const size_t count = check_result__failures(result), gates = check_result__gates(result);
	const size_t causes = check_result__failed_causes(result);
	char *text;

	if (!count)
		return checked_strdup("");
	text = text__of("%s%zu of %zu metrics regressed", result->reason ? "; " : "", count, gates);
	if (causes < count)
		text__replace(&text, "%s, from %s", text, quantity__count(causes, "cause", "causes").text);
	return text;
}

char *check_words__outcome(const struct check_result *result)
{
	const char *word = check_outcome_words[result->outcome], *name = result->check->name;
	const size_t better = check_result__improvements(result);
	autofree char *worse = NULL;

	if (result->outcome == CHECK_NOT_COMPARABLE || result->outcome == CHECK_INEXACT)
		return text__of("%s: %s (%s)", word, name, result->reason);
	if (result->outcome == CHECK_HELD && result->reason)
		return text__of("%s: %s (%zu metrics; %s)", word, name, check_result__gates(result), result->reason);
	if (result->outcome == CHECK_HELD)
		return better ? text__of("%s: %s (%zu metrics, %zu of them better)", word, name,
					 check_result__gates(result), better)
			      : text__of("%s: %s (%zu metrics)", word, name, check_result__gates(result));
	worse = failures(result);
	return text__of("%s: %s (%s%s)", word, name, result->reason ? result->reason : "", worse);
}
