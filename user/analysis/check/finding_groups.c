// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/finding_groups.h"

#include <string.h>

#include "base/text.h"

static bool is_group(const struct check_finding *finding)
{
	return finding->kind == BASELINE_LIFE && !strcmp(finding->name, CHILDREN_OF_GROUP);
}

bool check_finding__is_new_group(const struct check_finding *finding)
{
	return is_group(finding) && !finding->then_most && finding->change == CHANGE_WORSE;
}

bool check_finding__is_gone_group(const struct check_finding *finding)
{
	return is_group(finding) && !finding->now_most && finding->change == CHANGE_BETTER;
}

/* All that such processes do, or did. */
static void join_group(struct check_result *result, const struct check_finding *group)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		struct check_finding *finding = &result->findings[i];

		if (finding != group && !strcmp(finding->of, group->of))
			finding->part = true;
	}
}

static bool execs(const struct check_finding *group)
{
	return strstr(group->of, ", exec of ");
}

/* How many processes, or execs, the new groups add. */
static uint64_t added(const struct check_result *result, bool only_execs)
{
	uint64_t count = 0;

	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__is_new_group(&result->findings[i]) &&
		    (!only_execs || execs(&result->findings[i])))
			count += result->findings[i].now_least;
	return count;
}

/* "/bin/sh (dynamic-now)" of "vfork of tool, exec of sh"? */
static bool executes(const struct check_finding *group, const struct check_finding *image)
{
	const char *exec = strstr(group->of, ", exec of "), *name = text__file_name(image->name);
	const char *linkage;

	if (!exec || !(linkage = strrchr(image->name, '(')) || linkage < name + 1)
		return false;
	exec += strlen(", exec of ");
	return strlen(exec) == (size_t)(linkage - 1 - name) && !strncmp(exec, name, strlen(exec));
}

static bool is_executed_by_new(const struct check_result *result, const struct check_finding *image)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__is_new_group(&result->findings[i]) &&
		    executes(&result->findings[i], image))
			return true;
	return false;
}

/* Sums of the whole run that the new groups explain to the last one. */
static bool is_explained(const struct check_result *result, const struct check_finding *finding)
{
	const bool is_exec = !strcmp(finding->name, lifecycle_counters[LIFE_EXECS].key);

	if (finding->change != CHANGE_WORSE)
		return false;
	if (finding->kind == BASELINE_IMAGE)
		return !finding->then_most && is_executed_by_new(result, finding);
	if (finding->kind != BASELINE_LIFE || strcmp(finding->of, OF_RUN) != 0 ||
	    (!is_exec && strcmp(finding->name, lifecycle_counters[LIFE_PROCESSES].key) != 0))
		return false;
	return finding->now_least - finding->then_most <= added(result, is_exec);
}

void finding_groups__join(struct check_result *result)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];

		if (check_finding__is_new_group(finding) || check_finding__is_gone_group(finding))
			join_group(result, finding);
	}
	for (size_t i = 0; i < result->finding_count; i++)
		result->findings[i].part |= is_explained(result, &result->findings[i]);
}

uint64_t finding_group__calls(const struct check_result *result, const struct check_finding *group)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];

		if ((finding->kind == BASELINE_CALLS || finding->kind == BASELINE_SCHEDULED) &&
		    !strchr(finding->name, ' ') && !strcmp(finding->of, group->of))
			calls += finding->now_most ? finding->now_most : finding->then_most;
	}
	return calls;
}
