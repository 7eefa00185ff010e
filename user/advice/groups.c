// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/groups.h"

#include <string.h>

#include "advice/advice.h"

static bool same_exe(const struct run *run, uint32_t exe, const struct run *other, uint32_t found)
{
	if (exe >= run->exe_count || found >= other->exe_count)
		return (exe == NO_EXE) == (found == NO_EXE);
	return exe__is_same(&run->exes[exe], &other->exes[found]);
}

/* Groups are sorted by children: the first one that fits has most. */
uint32_t groups__same(const struct run *run, uint32_t group, const struct run *other,
		      bool same_parent)
{
	const struct group *wanted = &run->groups[group];

	for (uint32_t i = 0; i < other->group_count; i++) {
		const struct group *found = &other->groups[i];

		if (found->birth == wanted->birth &&
		    same_exe(run, wanted->fate_exe, other, found->fate_exe) &&
		    (!same_parent || same_exe(run, wanted->parent_exe, other, found->parent_exe)))
			return i;
	}
	return NO_GROUP;
}

uint32_t groups__dearest(const struct run *run)
{
	uint32_t dearest = NO_GROUP;
	double most = -1;

	for (uint32_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];
		double each;

		if (!anatomy__sample(run->anatomy, i) || !advice__fork_ns(run, i, &each) ||
		    each * (double)(group->children + group->unfinished) <= most)
			continue;
		most = each * (double)(group->children + group->unfinished);
		dearest = i;
	}
	return dearest;
}
