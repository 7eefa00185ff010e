/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a comparison consists of, and how its rows are made: each is one measure, taken from every
 * traced run of every column.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COMPARE_ROWS_H
#define FORKTAX_ANALYSIS_COMPARE_COMPARE_ROWS_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/measures.h"
#include "analysis/moves.h"

struct compare_row {
	enum compare_section section;
	char *key; /* JSON */
	char *header;
	struct spread *cells;		/* one per column, over its traced runs */
	struct estimate *ratios; /* the same, to the baseline, paired by round; NULL: no times */
	const struct syscall_row *call; /* which call it is, in some run; NULL: not of one call */
	enum compare_move *moves; /* one per column: against the baseline; its own is MOVE_NONE */
	/* Of facts (run_fact.h). */
	char *of; /* what it is in; NULL: nothing */
	char *region; /* of several pages; NULL: none */
	int rank; /* of pages: copies before what was only mapped */
	char **states; /* one per column, NULL where nothing is known; NULL: of a measure */
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

/* Does it differ from run to run without a cause in the program (analysis/by_chance.h)? */
bool compare_row__is_by_chance(const struct compare_row *row);

/* Of each traced run; to be freed. */
double *compare_column__values(const struct compare_column *column, measure_fn *of,
			       struct measure_argument argument);
/* Over the traced runs of a column. */
struct spread compare_column__measure(const struct compare_column *column, measure_fn *of,
				      struct measure_argument argument);

/* Were these columns measured in turns, so that their rounds are pairs? */
enum pairing compare_columns__pairing(const struct compare_column *column,
				      const struct compare_column *baseline);

/* Fills cells and moves from the values of each column's runs; takes over the values and their list. */
void compare_row__fill(const struct comparison *comparison, struct compare_row *row, double **values);
/* Measures all columns; takes over key and header. The row is there until the next one is added. */
struct compare_row *comparison__add_row(struct comparison *comparison, enum compare_section section,
					char *key, char *header, measure_fn *of,
					struct measure_argument argument);
/* Fills its ratios; of and argument as it was added with. */
void comparison__add_ratios(const struct comparison *comparison, struct compare_row *row,
			    measure_fn *of, struct measure_argument argument);

#endif
