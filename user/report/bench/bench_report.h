/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bench for its readers: pure functions of the model, so that what was saved prints as it did
 * live. JSON is written by saved/saved.h.
 */
#ifndef FORKTAX_REPORT_BENCH_BENCH_REPORT_H
#define FORKTAX_REPORT_BENCH_BENCH_REPORT_H

#include "report/bench/bench_layout.h"

struct bench_view {
	bool quiet; /* tables only: no head, no notes */
	bool history; /* figures of old beside */
};

/* Tables and what they mean; for programs a row per cell and figure. */
void bench_report__print(const struct bench *bench, const struct bench_view *view,
			 const struct table_output *output);

/* Two benches side by side, with the ratio of each cell. `names` stand in the headers. */
void bench_report__compare(const struct bench *const benches[2], const char *const names[2],
			   const struct bench_view *view, const struct table_output *output);

/* Its parts. One table for each column of the bench. */
void bench_tables__print(const struct bench_analysis *analysis, const struct bench_view *view,
			 const struct table_output *output);
/* The points of a sweep by the rows of the bench: times, ratios, and a plot of the times. */
void bench_sweep__print(const struct bench_analysis *analysis, const struct table_output *output);
/* For programs: a row per cell and figure. */
struct table *bench__figures(const struct bench_analysis *analysis);
/* A unit for all times of the bench. */
struct time_unit bench_tables__unit(const struct bench_analysis *analysis);

#endif
