/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The same children in different runs. Numbers of groups may differ from run to run.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_SAME_GROUP_H
#define FORKTAX_ANALYSIS_FORKS_SAME_GROUP_H

#include "model/run.h"

/* If another executable was started, parents differ: birth and exec target alone must match. */
enum group_parents { SAME_PARENT, ANY_PARENT };

/*
 * The group of `other` with the same children as `group` of `run`, or NO_GROUP: same way of birth
 * and same executables (exe__is_same()), whatever their paths. Executables that may be the same
 * count if no group has the same ones. Of several groups it is the one with the most children.
 */
uint32_t same_group__in(const struct run *other, const struct run *run, uint32_t group,
			enum group_parents parents);

#endif
