/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the report of a kind of bench shows. Rows of the bench are rows of its table; a bench with
 * several columns has one table each.
 */
#ifndef FORKTAX_REPORT_BENCH_BENCH_LAYOUT_H
#define FORKTAX_REPORT_BENCH_BENCH_LAYOUT_H

#include "analysis/bench/bench_results.h"
#include "format/column.h"

struct bench_layout {
	const char *title; /* of the table */
	const struct column *columns;
	size_t column_count;
	/* Prints what this kind says below its tables, for people; NULL: nothing. */
	void (*after)(const struct bench_analysis *analysis, const struct table_output *output);
};

const struct bench_layout *bench_layout__of(enum bench_kind kind);

/* Where the load, not the server, was the limit. */
void bench_serve__print_after(const struct bench_analysis *analysis, const struct table_output *output);

#endif
