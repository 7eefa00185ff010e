/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a comparison reads from a traced run: each measure is a function of the run.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_MEASURES_H
#define FORKTAX_ANALYSIS_COMPARE_MEASURES_H

#include "analysis/compare/compare_column.h"

enum compare_section {
	SECTION_SYSCALLS, /* per name */
	SECTION_ERRORS, /* per name and errno */
	SECTION_SYSCALL_NS, /* per name, of runs with --time */
	SECTION_SYSCALL_TOTALS,
	SECTION_FAULTS, /* per class, of the run */
	SECTION_FAULT_TOTALS,
	SECTION_CHILDREN, /* mean of all children of the run */
	SECTION_GROUP,	  /* median child of the largest group */
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
	SECTION_GROUPS, /* children of each */
	SECTION_PROCESSES,
	SECTION_FILES, /* calls */
	SECTION_SYMBOLS, /* bound by so many of the recorded children: 1 is all */
	SECTION_PAGES, /* the same of what became of a page */
	SECTION_COUNT,
	SECTION_FIRST_FACT = SECTION_PROGRAMS
};

extern const char *const compare_section_keys[SECTION_COUNT];

struct bindnow_files;

struct measure_argument {
	unsigned int index; /* of a class, of a mark, of a phase, ... */
	const struct syscall_row *call; /* of any run: only name and calling convention matter */
	const char *error; /* name of an errno */
	const struct compare_column *column; /* of the run; filled in */
	uint32_t group; /* of `first`; 0 is the largest one */
	const struct run *first; /* NULL: the first run of the column */
	const struct bindnow_files *files; /* of bindnow alone: what is bound, and whether ... */
	bool is_now; /* ... the run had LD_BIND_NOW */
};

/* NAN: not counted, or nothing to count. */
typedef double measure_fn(const struct run *run, const struct measure_argument *argument);

struct measure {
	enum compare_section section;
	const char *key, *header;
	measure_fn *of;
	unsigned int index;
};

measure_fn measure__calls, measure__errors, measure__call_ns, measure__faults;
measure_fn measure__group_median; /* of the metric `index` */
measure_fn measure__children; /* how many of the run finished; takes no argument */
/* The group of this run with the same children as the argument's; NULL: it has none. */
const struct group *measure__group(const struct run *run, const struct measure_argument *argument);
/* All measures but those of single system calls, in the order of their rows. */
struct measure *measures__new(size_t *count);

#endif
