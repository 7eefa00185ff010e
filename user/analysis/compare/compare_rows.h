/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a comparison consists of, and how its rows are made: each is one fact (run_fact.h), as every traced run
 * of every column has it.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COMPARE_ROWS_H
#define FORKTAX_ANALYSIS_COMPARE_COMPARE_ROWS_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/run_fact.h"
#include "analysis/moves.h"

struct compare_row {
	enum compare_section section;
	char *key; /* JSON */
	char *header;
	struct spread *cells;		/* one per column, over its traced runs */
	struct estimate *ratios; /* the same, to the baseline, paired by round; NULL: no times */
	const struct syscall_row *call; /* which call it is, in some run; NULL: not of one call */
	enum compare_move *moves; /* one per column: against the baseline; its own is MOVE_NONE */
	int order; /* as of its fact, and so ... */
	bool by_chance;
	/* Of things that are there or not. */
	char *of; /* what it is in; NULL: nothing */
	char *region; /* of several pages; NULL: none */
	int rank; /* of pages: copies before what was only mapped */
	char **states; /* one per column, NULL where nothing is known; NULL: of a count */
};

struct compare_timing {
	struct estimate wall; /* median of the untraced runs, ns */
	double min_ns; /* of all untraced runs, disturbed ones too: nothing makes a run shorter */
	struct estimate ratio; /* to the baseline, paired; not known for the baseline */
	struct estimate cpu, cpu_ratio; /* of the CPU times */
	struct spread traced_wall; /* of the traced runs, ns; includes the cost of tracing */
};

/* These two: by one of the clocks. */
static inline const struct estimate *compare_timing__time(const struct compare_timing *timing, bool by_cpu)
{
	return by_cpu ? &timing->cpu : &timing->wall;
}

static inline const struct estimate *compare_timing__ratio(const struct compare_timing *timing, bool by_cpu)
{
	return by_cpu ? &timing->cpu_ratio : &timing->ratio;
}

struct comparison {
	struct compare_column *columns;
	size_t column_count;
	size_t baseline;
	struct compare_row *rows; /* in the order of sections; system calls by calls, descending */
	size_t row_count;
	struct compare_timing *timings; /* one per column */
	/*
	 * Which clock says what is faster. CPU time, which holds no waiting for a CPU that others use, if all columns
	 * use one CPU in their best runs: at least half of the time that others left, and no more than one and
	 * a half. Else they wait, or use several, and wall time says it. So it is known before any two are compared.
	 */
	bool by_cpu;
};

/* Of the clock that decides: the median of a column, and its ratio to the baseline. */
static inline const struct estimate *comparison__time(const struct comparison *comparison, size_t column)
{
	return compare_timing__time(&comparison->timings[column], comparison->by_cpu);
}

static inline const struct estimate *comparison__ratio(const struct comparison *comparison, size_t column)
{
	return compare_timing__ratio(&comparison->timings[column], comparison->by_cpu);
}

/* Is it above 0 in some column? Rows that are not would only push the others off the screen. */
bool comparison__has_content(const struct comparison *comparison, const struct compare_row *row);

/* Were these columns measured alternately, so that their rounds are pairs? */
enum pairing compare_columns__pairing(const struct compare_column *column, const struct compare_column *baseline);

/* A row for each fact of the runs; of what is or is not there, only for those that differ in some column. */
void comparison__add_rows(struct comparison *comparison);

#endif
