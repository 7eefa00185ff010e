/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cells of a bench: numbers for programs, rounded for people. "-" was not measured.
 */
#ifndef FORKTAX_REPORT_BENCH_BENCH_CELLS_H
#define FORKTAX_REPORT_BENCH_BENCH_CELLS_H

#include "analysis/bench/bench_results.h"
#include "format/cell.h"
#include "format/table.h"
#include "report/words.h"

/* In that unit, without its name, with the decimals of the column; NAN: not known. */
struct cell bench_cells__number(double value, struct unit unit);
/* The median. */
struct cell bench_cells__median(const struct estimate *estimate, struct unit unit);
/* "81.2..82.9" */
struct cell bench_cells__interval(const struct estimate *estimate, struct unit unit);
struct cell bench_cells__rate(const struct estimate *rate);
/* The same of a cell and one of the baselines; "baseline": it is that. */
struct cell bench_cells__against(const struct bench_figures *figures, size_t baseline, bool brief);
/* Does the cell of this ratio end in a *, as there are too few rounds for an interval? */
bool bench_cells__is_marked(const struct estimate *ratio);
void bench_cells__explain_mark(const struct table_output *output);
bool bench_cells__is_time(enum bench_metric metric);
bool bench_cells__is_size(enum bench_metric metric);

#endif
