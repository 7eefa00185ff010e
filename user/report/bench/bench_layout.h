/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which figures the table of a kind of bench shows: one list of columns per kind. Rows of the
 * bench are rows of the table; a bench with several columns has one table each, or, if they are a
 * sweep, one row for each point and a plot.
 */
#ifndef FORKTAX_REPORT_BENCH_BENCH_LAYOUT_H
#define FORKTAX_REPORT_BENCH_BENCH_LAYOUT_H

#include "analysis/bench/bench_results.h"
#include "format/table.h"

enum bench_column_kind {
	BENCH_COLUMN_METRIC, /* median; index is an enum bench_metric */
	BENCH_COLUMN_INTERVAL, /* its 95 % interval */
	BENCH_COLUMN_RATE, /* operations per second */
	BENCH_COLUMN_TOTAL, /* time of so many operations: index is the number */
	/* one column for each baseline, with interval or "no difference shown" */
	BENCH_COLUMN_RATIOS,
	BENCH_COLUMN_PER_OP, /* index is an enum per_op */
	BENCH_COLUMN_HISTORY, /* figures of old for BENCH_METRIC_TIME, if asked for */
};

struct bench_shown {
	enum bench_column_kind kind;
	int index;
	const char *header; /* NULL: the dictionary's; units of time are added */
};

struct bench_layout {
	const char *title; /* of the table */
	const struct bench_shown *shown;
	size_t shown_count;
#define SHOWN(list) .shown = list, .shown_count = sizeof(list) / sizeof((list)[0])
	uint32_t details; /* bit i: shown[i] is left out of the answer */
	/* Prints its answer, for people; NULL: which is fastest. */
	void (*answer)(const struct bench_analysis *analysis, const struct table_output *output);
	/* Prints what this kind says below its tables, for people; NULL: nothing. */
	void (*after)(const struct bench_analysis *analysis, const struct table_output *output);
	/* Prints figures of old that are no times of cells, if asked for; NULL: there are none. */
	void (*history)(const struct table_output *output);
};

extern const struct bench_layout bench_serve_layout;
const struct bench_layout *bench_layout__of(enum bench_kind kind);

#endif
