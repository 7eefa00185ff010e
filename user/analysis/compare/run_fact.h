/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a comparison reads of a traced run: how often, how long, or whether something is there. Each fact has a
 * key that means the same in every run, and a value.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_RUN_FACT_H
#define FORKTAX_ANALYSIS_COMPARE_RUN_FACT_H

#include "model/run/run.h"

enum compare_section {
	SECTION_SYSCALLS, /* per name */
	SECTION_ERRORS, /* per name and errno */
	SECTION_SYSCALL_NS, /* per name, of runs with --time */
	SECTION_SYSCALL_TOTALS,
	SECTION_FAULTS, /* per class, of the run */
	SECTION_FAULT_TOTALS,
	SECTION_CHILDREN, /* mean of all children of the run */
	SECTION_GROUP,	  /* median child of the largest group */
	SECTION_GROUP_CALLS, /* mean child of the largest group, per name */
	/* Of the start, if some run has recorded it: by phase, and in total. */
	SECTION_START_NS,
	SECTION_START_CALLS,
	SECTION_START_ERRORS,
	SECTION_START_FAULTS,
	SECTION_START_CLASSES, /* by phase and class */
	SECTION_START_DIRTIED,
	/* Things that are there in one column and not, or not so often, in another: those alone. */
	SECTION_PROGRAMS,
	SECTION_LIBRARIES,
	SECTION_LINES, /* of scripts: forks */
	SECTION_GROUPS, /* children of each */
	SECTION_PROCESSES,
	SECTION_FILES, /* calls */
	SECTION_SYMBOLS, /* bound by so many of the recorded children: 1 is all */
	SECTION_PAGES, /* the same of what became of a page */
	SECTION_COUNT,
	SECTION_FIRST_THING = SECTION_PROGRAMS
};

extern const char *const compare_section_keys[SECTION_COUNT];

struct run_fact {
	enum compare_section section;
	int order; /* among those of its section, where it is not by the values */
	/* What `of` and `name` are in every run, whatever the paths: two runs that have it agree. */
	char *key;
	char *name, *of; /* for people; `of`: what it is in, NULL: nothing */
	char *region; /* of several pages: "libc.so.6 .data"; NULL: none */
	char *state; /* what is known of it besides; NULL: nothing */
	double value; /* of things more than 0; NAN: not counted, or nothing to count */
	int rank; /* of several of one key, those of the highest rank count */
	size_t column, run;
	bool by_chance; /* it differs from run to run without a cause in the program (analysis/by_chance.h) */
	const struct syscall_row *call; /* which call it is of; NULL: of none */
	const struct anatomy_row *fault; /* of a page of a file: the last one that counts; else NULL */
};

/* In the order of their keys, then of columns and runs; of each run, each key occurs once. */
struct run_facts {
	struct run_fact *list;
	size_t count;
};

#endif
