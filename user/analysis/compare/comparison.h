/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several builds, or any commands, side by side: one column each. What was measured goes in,
 * rows of figures come out; the same input always gives the same rows.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COMPARISON_H
#define FORKTAX_ANALYSIS_COMPARE_COMPARISON_H

#include "analysis/series.h"
#include "elf/facts.h"
#include "model/run.h"

/* What was measured of one command. All pointers are owned. */
struct compare_column {
	char *label;		 /* unique in the comparison */
	char **command;		 /* argv, NULL-terminated */
	char *path;		 /* of the executable file; NULL: not known, as for saved runs */
	struct elf_facts *facts; /* NULL: not known, then ... */
	char *facts_reason;	 /* ... why; NULL if nobody asked */
	struct run **runs;	 /* traced */
	size_t run_count;
	double *samples_ns; /* wall times of untraced runs, in the order of the rounds */
	double *cpu_ns;	    /* likewise CPU times, with what the command waited for; NULL: not known */
	double *others; /* likewise the share that others had of the CPUs; NULL: not known */
	size_t sample_count; /* of each; sample i of all columns is from round i */
};

enum compare_section {
	SECTION_SYSCALLS, /* per name */
	SECTION_SYSCALL_TOTALS,
	SECTION_FAULTS, /* per class, of the run */
	SECTION_FAULT_TOTALS,
	SECTION_CHILDREN, /* mean of all children of the run */
	SECTION_GROUP,	  /* median child of the largest group */
	SECTION_COUNT
};

extern const char *const compare_section_keys[SECTION_COUNT];

struct compare_row {
	enum compare_section section;
	char *key; /* JSON */
	char *header;
	struct spread *cells;		/* one per column, over its traced runs */
	const struct syscall_row *call; /* which call it is, in some run; NULL: not of one call */
};

struct compare_timing {
	struct estimate wall; /* median of the untraced runs, ns */
	double min_ns; /* of all of them: nothing makes a run shorter */
	struct estimate ratio; /* to the baseline, paired; not known for the baseline itself */
	struct estimate cpu, cpu_ratio; /* of the CPU times */
	struct spread traced_wall; /* of the traced runs, ns: tracing costs, so only a hint */
};

struct comparison {
	struct compare_column *columns;
	size_t column_count;
	size_t baseline;
	struct compare_row *rows; /* in the order of sections; system calls by calls, descending */
	size_t row_count;
	struct compare_timing *timings; /* one per column */
};

/* Takes over the columns. */
struct comparison *comparison__new(struct compare_column *columns, size_t count, size_t baseline);
void comparison__free(struct comparison *comparison); /* NULL is fine */
void compare_columns__free(struct compare_column *columns, size_t count);

/* Its untraced runs, by wall clock. */
struct series compare_column__wall(const struct compare_column *column);
/* The same by CPU time. */
struct series compare_column__cpu(const struct compare_column *column);
/* How many untraced runs others disturbed, as a sentence, to be freed; NULL: none. */
char *comparison__disturbance(const struct comparison *comparison);
/* Were all runs of this column counted exactly? */
bool compare_column__is_exact(const struct compare_column *column);
/* The largest group of children of a run, NULL if it had none; all runs of a column show this one.
 */
const struct group *compare_column__group(const struct compare_column *column);
/* "fork, no exec" or "vfork, exec of /bin/true"; to be freed; NULL without children. */
char *compare_column__group_name(const struct compare_column *column);

#endif
