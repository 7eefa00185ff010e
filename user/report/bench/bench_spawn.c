// SPDX-License-Identifier: GPL-2.0-or-later
/* Table 28-3: what creating 100,000 processes takes, and how many a second make. */
#include "report/bench/bench_layout.h"

static const struct bench_shown shown[] = {
	{ SHOWS_METRIC, BENCH_METRIC_TIME, "each" },
	{ SHOWS_INTERVAL, BENCH_METRIC_TIME, "95 % interval" },
	{ SHOWS_TOTAL, 100000, NULL },
	{ SHOWS_RATE, 0, "per s" },
	{ SHOWS_RATIOS, 0, "against" },
	{ SHOWS_METRIC, BENCH_METRIC_OWN_CPU, "CPU of parent" },
	{ SHOWS_METRIC, BENCH_METRIC_CPU, "of both" },
	{ SHOWS_PER_OP, PER_OP_SYSCALLS, NULL },
	{ SHOWS_PER_OP, PER_OP_MINOR_FAULTS, "faults" },
	{ SHOWS_METRIC, BENCH_METRIC_VSZ, NULL },
	{ SHOWS_HISTORY, 0, NULL },
};

const struct bench_layout bench_spawn_layout = {
	.title = "Create a process, wait for it",
	.operation = "process",
	.shown = shown,
	.shown_count = sizeof(shown) / sizeof(shown[0]),
};
