/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which groups of children a reader sees first, and which only on request: a shell script may have
 * a hundred, each with one child.
 */
#ifndef FORKTAX_REPORT_RUN_GROUP_PICKS_H
#define FORKTAX_REPORT_RUN_GROUP_PICKS_H

#include "model/run/run.h"

struct group_picks {
	uint32_t *order; /* indexes into run->groups, of all groups; owned */
	size_t count;
	size_t shown; /* the first of them, which have a row */
	size_t with_calls; /* the first of them, which also have a table of system calls */
};

/*
 * Ordered by weight: the largest of a group's shares of all children, of their system calls, and of
 * their faults. Ties stay in the order of the run. At most `most` have a row; `all`: none is left out.
 */
struct group_picks group_picks__by_weight(const struct run *run, bool all, size_t most);
/* All, in the order of the run. */
struct group_picks group_picks__all(const struct run *run);
void group_picks__free(struct group_picks *picks);
/* "(50 more groups: 50 of 54 children, ...)", to be freed; NULL: there are none. */
char *group_picks__rest(const struct run *run, const struct group_picks *picks);

#endif
