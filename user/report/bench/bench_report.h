/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bench for its readers: pure functions of the model, so that what was saved prints as it did
 * live. JSON is written by saved/saved.h.
 */
#ifndef FORKTAX_REPORT_BENCH_BENCH_REPORT_H
#define FORKTAX_REPORT_BENCH_BENCH_REPORT_H

#include "report/bench/bench_tables.h"

/* Tables and what they mean; for programs a row per cell and figure. */
void bench_report__print(const struct bench *bench, const struct bench_view *view,
			 const struct table_output *output);

/* Two benches side by side, with the ratio of each cell. `names` stand in the headers. */
void bench_report__compare(const struct bench *const benches[2], const char *const names[2],
			   const struct bench_view *view, const struct table_output *output);

#endif
