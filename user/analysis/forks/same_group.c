// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/same_group.h"

typedef bool same_exe_fn(const struct exe *exe, const struct exe *other);

static bool have_same_exe(const struct run *run, uint32_t exe, const struct run *other,
			  uint32_t found, same_exe_fn *is_same)
{
	if (exe == NO_EXE || found == NO_EXE)
		return exe == found;
	return is_same(&run->exes[exe], &other->exes[found]);
}

/* Groups are sorted by children: the first one that fits has most. */
static uint32_t find_group(const struct run *other, const struct run *run,
			   const struct group *wanted, enum group_parents parents,
			   same_exe_fn *is_same)
{
	for (uint32_t i = 0; i < other->group_count; i++) {
		const struct group *found = &other->groups[i];

		if (found->birth == wanted->birth &&
		    have_same_exe(run, wanted->exec_target, other, found->exec_target, is_same) &&
		    (parents == ANY_PARENT ||
		     have_same_exe(run, wanted->parent_exe, other, found->parent_exe, is_same)))
			return i;
	}
	return NO_GROUP;
}

uint32_t same_group__in(const struct run *other, const struct run *run, uint32_t group,
			enum group_parents parents)
{
	const struct group *wanted = &run->groups[group];
	uint32_t found = find_group(other, run, wanted, parents, exe__is_same);

	return found == NO_GROUP ? find_group(other, run, wanted, parents, exe__may_be_same)
				 : found;
}
