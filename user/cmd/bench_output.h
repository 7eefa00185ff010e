/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Printing a bench, measured just now or loaded.
 */
#ifndef FORKTAX_CMD_BENCH_OUTPUT_H
#define FORKTAX_CMD_BENCH_OUTPUT_H

#include "model/bench.h"
#include "report/options.h"

/* To options->path or stdout. Returns 0, or EXIT_FORKTAX after a complaint. */
int print_bench(const char *name, const struct bench *bench, const struct report_options *options);

#endif
