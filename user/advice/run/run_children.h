/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What rules about children have in common: files that nearly all children of a group open.
 */
#ifndef FORKTAX_ADVICE_RUN_RUN_CHILDREN_H
#define FORKTAX_ADVICE_RUN_RUN_CHILDREN_H

#include "advice/run/run_subject.h"

/* Of a group in the run of files. */
struct same_work {
	uint32_t group;
	uint64_t files;
	bool by_all; /* without exception */
	double ns; /* of a child, from the first of these files to the last; 0: they are few */
};

/* Does the group execute the program that has forked it? A shell does so for other scripts. */
bool group__starts_anew(const struct run *run, const struct group *group);
/*
 * The group whose children do most of the same: copies of their parent, in files that it has not opened; or, `anew`,
 * those that execute its program again, in any but libraries.
 */
struct same_work same_work__most(const struct run *run, bool anew);
/* " (client.py, decoder.py and 50 more)", without what looks like a directory; to be freed. */
char *same_work__names(const struct run *run, const struct same_work *work);

#endif
