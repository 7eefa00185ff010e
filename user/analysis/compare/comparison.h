/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several builds, or any commands, side by side: one column each. What was measured goes in,
 * rows of figures come out; the same input always gives the same rows.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COMPARISON_H
#define FORKTAX_ANALYSIS_COMPARE_COMPARISON_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/measures.h"

struct compare_row {
	enum compare_section section;
	char *key; /* JSON */
	char *header;
	struct spread *cells;		/* one per column, over its traced runs */
	const struct syscall_row *call; /* which call it is, in some run; NULL: not of one call */
};

struct compare_timing {
	struct estimate wall; /* median of the untraced runs, ns */
	double min_ns; /* of all untraced runs, disturbed ones too: nothing makes a run shorter */
	struct estimate ratio; /* to the baseline, paired; not known for the baseline */
	struct estimate cpu, cpu_ratio; /* of the CPU times */
	struct spread traced_wall; /* of the traced runs, ns; includes the cost of tracing */
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

/* A sentence on how many untraced runs other programs disturbed, to be freed; NULL: none. */
char *comparison__disturbance(const struct comparison *comparison);

#endif
