/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines of scripts that fork, in the findings of `forktax check`.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_FINDING_LINES_H
#define FORKTAX_ANALYSIS_CHECK_FINDING_LINES_H

#include "analysis/check/check_result.h"

/*
 * A line that was edited is a new one, and another is gone. So lines that are new are worse only if they fork more
 * than those that are gone.
 */
void finding_lines__pair(struct check_result *result);
/* What lines that are new fork, and what those forked that are gone. */
uint64_t finding_lines__new(const struct check_result *result);
uint64_t finding_lines__gone(const struct check_result *result);
bool check_finding__is_new_line(const struct check_finding *finding);

#endif
