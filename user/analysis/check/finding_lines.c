// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/finding_lines.h"

bool check_finding__is_new_line(const struct check_finding *finding)
{
	return finding->kind == BASELINE_LINE && !finding->then_most;
}

static bool is_gone_line(const struct check_finding *finding)
{
	return finding->kind == BASELINE_LINE && !finding->now_most;
}

uint64_t finding_lines__new(const struct check_result *result)
{
	uint64_t forks = 0;

	for (size_t i = 0; i < result->finding_count; i++)
		if (check_finding__is_new_line(&result->findings[i]))
			forks += result->findings[i].now_least;
	return forks;
}

uint64_t finding_lines__gone(const struct check_result *result)
{
	uint64_t forks = 0;

	for (size_t i = 0; i < result->finding_count; i++)
		if (is_gone_line(&result->findings[i]))
			forks += result->findings[i].then_least;
	return forks;
}

void finding_lines__pair(struct check_result *result)
{
	const uint64_t now = finding_lines__new(result), then = finding_lines__gone(result);

	for (size_t i = 0; i < result->finding_count; i++) {
		struct check_finding *finding = &result->findings[i];

		if ((check_finding__is_new_line(finding) && now <= then) || (is_gone_line(finding) && now >= then))
			finding->change = CHANGE_NONE;
	}
}
