// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/finding_groups.h"

#include <inttypes.h>
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

/* "sh" of "vfork of tool, exec of sh"; NULL: no exec. */
static const char *program_of(const struct check_finding *group)
{
	const char *exec = strstr(group->of, ", exec of ");

	return exec ? exec + strlen(", exec of ") : NULL;
}

uint64_t finding_groups__added(const struct check_result *result, bool only_execs)
{
	uint64_t count = 0;

	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__is_new_group(&result->findings[i]) &&
		    (!only_execs || program_of(&result->findings[i])))
			count += result->findings[i].now_least;
	return count;
}

/* Children of new kinds that executed that program first; NULL: none. */
static uint64_t added_of_program(const struct check_result *result, const char *program)
{
	uint64_t count = 0;

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];

		if (check_finding__is_new_group(finding) && !text__compare(program_of(finding), program))
			count += finding->now_least;
	}
	return count;
}

struct check_finding *finding_groups__first_new(const struct check_result *result)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__is_new_group(&result->findings[i]) && !result->findings[i].part)
			return &result->findings[i];
	return NULL;
}

/* "/bin/sh (dynamic-now)" of "vfork of tool, exec of sh"? */
static bool executes(const struct check_finding *group, const struct check_finding *image)
{
	const char *exec = program_of(group), *name = text__file_name(image->name);
	const char *linkage;

	if (!exec || !(linkage = strrchr(image->name, '(')) || linkage < name + 1)
		return false;
	return strlen(exec) == (size_t)(linkage - 1 - name) && !strncmp(exec, name, strlen(exec));
}

static bool is_executed_by_new(const struct check_result *result, const struct check_finding *image)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__is_new_group(&result->findings[i]) && executes(&result->findings[i], image))
			return true;
	return false;
}

/* Sums of the whole run that the new groups explain to the last one. */
static bool is_explained(const struct check_result *result, const struct check_finding *finding)
{
	const bool is_exec = !strcmp(finding->name, lifecycle_counters[LIFE_EXECS].key);

	if (finding->change != CHANGE_WORSE)
		return false;
	if (finding->kind == BASELINE_PROGRAM)
		return finding->now_least - finding->then_most <= added_of_program(result, finding->name);
	if (finding->kind == BASELINE_LIFE && !strcmp(finding->name, FORKS_WITHOUT_EXEC))
		return finding->now_least - finding->then_most <= added_of_program(result, NULL);
	if (finding->kind == BASELINE_IMAGE)
		return !finding->then_most && is_executed_by_new(result, finding);
	if (finding->kind != BASELINE_LIFE || strcmp(finding->of, OF_RUN) != 0 ||
	    (!is_exec && strcmp(finding->name, lifecycle_counters[LIFE_PROCESSES].key) != 0))
		return false;
	return finding->now_least - finding->then_most <= finding_groups__added(result, is_exec);
}

/* Does a process execute that image whose like creates this group? As in "fork of sh, no exec". */
static bool is_created_by(const struct check_finding *group, const struct check_finding *image)
{
	const char *parent = strstr(group->of, " of "), *name = text__file_name(image->name);
	const char *linkage = strrchr(name, '(');
	const size_t length = linkage > name ? linkage - 1 - name : 0;

	return parent && length && !strncmp(parent + strlen(" of "), name, length) &&
	       parent[strlen(" of ") + length] == ',';
}

/* The new kind that creates this one, which nobody else can have done: its image is new, too. NULL: none. */
static struct check_finding *creator_of(const struct check_result *result, const struct check_finding *group)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *image = &result->findings[i];

		if (image->kind != BASELINE_IMAGE || image->change != CHANGE_WORSE || image->then_most ||
		    !is_created_by(group, image))
			continue;
		for (size_t k = 0; k < result->finding_count; k++)
			if (&result->findings[k] != group && check_finding__is_new_group(&result->findings[k]) &&
			    executes(&result->findings[k], image))
				return &result->findings[k];
	}
	return NULL;
}

/* What a new kind of process creates is part of it. Where each is created by another one, none is. */
static void join_below(struct check_result *result)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__is_new_group(&result->findings[i]))
			result->findings[i].part = creator_of(result, &result->findings[i]);
	for (size_t i = 0; !finding_groups__first_new(result) && i < result->finding_count; i++)
		if (check_finding__is_new_group(&result->findings[i]))
			result->findings[i].part = false;
	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__is_new_group(&result->findings[i]) && result->findings[i].part)
			check_finding__say(finding_groups__first_new(result),
					   "they create others of a new kind: %s: %" PRIu64, result->findings[i].of,
					   result->findings[i].now_most);
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
	join_below(result);
}

static bool counts_calls(const struct check_finding *finding)
{
	return (finding->kind == BASELINE_CALLS || finding->kind == BASELINE_SCHEDULED) && !strchr(finding->name, ' ');
}

/* Each fault once: these metrics count some of them by another property. */
static bool counts_faults(const struct check_finding *finding)
{
	const char *const again[] = { "pages dirtied by ld.so", "major", fault_counters[FAULT_COW_COPY].header,
				      fault_counters[FAULT_COW_REUSE].header, NULL };

	return (finding->kind == BASELINE_PAGES || finding->kind == BASELINE_CACHED) &&
	       !text__is_any(finding->name, again);
}

static uint64_t sum(const struct check_result *result, const struct check_finding *group,
		    bool (*counts)(const struct check_finding *))
{
	uint64_t sum = 0;

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];

		if (counts(finding) && !strcmp(finding->of, group->of))
			sum += finding->now_most ? finding->now_most : finding->then_most;
	}
	return sum;
}

uint64_t finding_group__calls(const struct check_result *result, const struct check_finding *group)
{
	return sum(result, group, counts_calls);
}

uint64_t finding_group__faults(const struct check_result *result, const struct check_finding *group)
{
	return sum(result, group, counts_faults);
}
