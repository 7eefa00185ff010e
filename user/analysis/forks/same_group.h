/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The same children in different runs. Numbers of groups may differ from run to run.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_SAME_GROUP_H
#define FORKTAX_ANALYSIS_FORKS_SAME_GROUP_H

#include "model/run.h"

/* Where another executable was started, parents differ: then the way of birth and the fate have to
 * do. */
enum group_parents { SAME_PARENT, ANY_PARENT };

/*
 * The group of `other` that stands for the same children as `group` of `run`: same way of birth and
 * same executables, whatever the paths and names that the files go by; NO_GROUP. What may be the
 * same (model/exe.h) counts if nothing is. Of several it is the one with most children.
 */
uint32_t same_group__in(const struct run *other, const struct run *run, uint32_t group,
			enum group_parents parents);

#endif
