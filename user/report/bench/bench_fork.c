// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of 2006, and why it is as it is. */
#include "report/bench/bench_layout.h"

static const struct bench_shown shown[] = {
	{ SHOWS_METRIC, BENCH_METRIC_TIME, "per fork" },
	{ SHOWS_INTERVAL, BENCH_METRIC_TIME, "95 % interval" },
	{ SHOWS_RATE, 0, "forks/s" },
	{ SHOWS_RATIOS, 0, "against" },
	{ SHOWS_METRIC, BENCH_METRIC_CPU, "CPU" },
	{ SHOWS_PER_OP, PER_OP_MINOR_FAULTS, "faults" },
	{ SHOWS_PER_OP, PER_OP_COW_COPIES, NULL },
	{ SHOWS_PER_OP, PER_OP_LD_SO_PAGES, NULL },
	{ SHOWS_HISTORY, 0, NULL },
};

const struct bench_layout bench_fork_layout = {
	.title = "fork, child ends, parent waits",
	.operation = "fork",
	.shown = shown,
	.shown_count = sizeof(shown) / sizeof(shown[0]),
};
