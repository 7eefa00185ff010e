/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What can be there in one run and not in another: libraries, programs, groups, processes, files, bound
 * symbols, pages. Each has a name that means the same in every run, and a count.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_RUN_FACT_H
#define FORKTAX_ANALYSIS_COMPARE_RUN_FACT_H

#include "analysis/compare/measures.h"

struct run_fact {
	enum compare_section section;
	/* What `of` and `name` are in every run, whatever the paths: two runs that have it agree. */
	char *key;
	char *name, *of; /* for people; `of`: what it is in, NULL: nothing */
	char *region; /* of several pages: "libc.so.6 .data"; NULL: none */
	char *state; /* what is known of it besides; NULL: nothing */
	double value; /* more than 0 */
	int rank; /* of several of one key, those of the highest rank count */
	size_t column, run;
	const struct anatomy_row *fault; /* of a page of a file: the last one that counts; else NULL */
};

/* In the order of their keys, then of columns and runs; of each run, each key occurs once. */
struct run_facts {
	struct run_fact *list;
	size_t count;
};

#endif
