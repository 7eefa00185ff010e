/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bench for its readers: pure functions of the model, so that what was saved prints as it did
 * live. JSON is written by saved/saved.h.
 */
#ifndef FORKTAX_REPORT_BENCH_BENCH_REPORT_H
#define FORKTAX_REPORT_BENCH_BENCH_REPORT_H

#include "report/bench/bench_layout.h"
#include "report/options.h"

/* The answer, tables and what they mean. */
void bench_report__print(const struct bench *bench, const struct report_options *options,
			 const struct table_output *output);

/* Its parts. One table for each column of the bench. */
void bench_tables__print(const struct bench_analysis *analysis, const struct report_options *options,
			 const struct table_output *output);

#endif
