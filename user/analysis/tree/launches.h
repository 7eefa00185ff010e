/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What takes most of the programs that one program starts again and again, whatever their names are.
 */
#ifndef FORKTAX_ANALYSIS_TREE_LAUNCHES_H
#define FORKTAX_ANALYSIS_TREE_LAUNCHES_H

#include "model/run/run.h"

struct launches {
	const struct execution *first; /* the one with most of the clock; NULL: nothing is started again */
	uint64_t count;
	double ns; /* of the clock, as traced: with all that these start */
	double place_ns; /* what those at the line of `first` have of that, without what they start */
	double own_ns; /* what all have without what they start */
	char *programs; /* "ld 54, gcc 27": no single program takes most of the time; NULL: one does */
	const struct execution *below; /* what they start, and what takes more than they; NULL: nothing */
	uint64_t below_count;
};

/* Of a run with executions or without. */
struct launches launches__largest(const struct run *run);
/*
 * "e starts sh 60 times, named in e.sh:9, such as sh -c 'id user0'. These start id 60 times."; to be freed.
 */
char *launches__words(const struct run *run, const struct launches *launches);
void launches__free(struct launches *launches);

#endif
