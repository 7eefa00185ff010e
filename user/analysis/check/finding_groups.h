/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One cause is one finding: what a new kind of process does, or one that is gone did, is part of the
 * finding of its children.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_FINDING_GROUPS_H
#define FORKTAX_ANALYSIS_CHECK_FINDING_GROUPS_H

#include "analysis/check/check_result.h"

/* Marks the parts. */
void finding_groups__join(struct check_result *result);
bool check_finding__is_new_group(const struct check_finding *finding);
bool check_finding__is_gone_group(const struct check_finding *finding);
/* NULL: there is no new kind of process. */
struct check_finding *finding_groups__first_new(const struct check_result *result);
/* How many processes, or only execs, the new kinds add. */
uint64_t finding_groups__added(const struct check_result *result, bool only_execs);
/*
 * System calls of all its processes; calls of other conventions left out. Page faults; 0: also if they were not
 * counted.
 */
uint64_t finding_group__calls(const struct check_result *result, const struct check_finding *group);
uint64_t finding_group__faults(const struct check_result *result, const struct check_finding *group);

#endif
