// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/bench_layout.h"

#include "format/wrap.h"

/* The table of 2006, and the counts that explain it. */
static const struct bench_shown fork_shown[] = {
	{ BENCH_COLUMN_METRIC, BENCH_METRIC_TIME, "per fork" },
	{ BENCH_COLUMN_INTERVAL, BENCH_METRIC_TIME, "95 % interval" },
	{ BENCH_COLUMN_RATE, 0, "forks/s" },
	{ BENCH_COLUMN_RATIOS, 0, "against" },
	{ BENCH_COLUMN_METRIC, BENCH_METRIC_CPU, "CPU" },
	{ BENCH_COLUMN_PER_OP, PER_OP_MINOR_FAULTS, "faults" },
	{ BENCH_COLUMN_PER_OP, PER_OP_COW_COPIES, NULL },
	{ BENCH_COLUMN_PER_OP, PER_OP_LD_SO_PAGES, NULL },
	{ BENCH_COLUMN_HISTORY, 0, NULL },
};

static const struct bench_layout fork_layout = {
	.title = "fork, child ends, parent waits",
	SHOWN(fork_shown),
};

/* Table 28-3: the time of 100,000 processes, and how many are created in a second. */
static const struct bench_shown spawn_shown[] = {
	{ BENCH_COLUMN_METRIC, BENCH_METRIC_TIME, "each" },
	{ BENCH_COLUMN_INTERVAL, BENCH_METRIC_TIME, "95 % interval" },
	{ BENCH_COLUMN_TOTAL, 100000, NULL },
	{ BENCH_COLUMN_RATE, 0, "per s" },
	{ BENCH_COLUMN_RATIOS, 0, "against" },
	{ BENCH_COLUMN_METRIC, BENCH_METRIC_OWN_CPU, "CPU of parent" },
	{ BENCH_COLUMN_METRIC, BENCH_METRIC_CPU, "of both" },
	{ BENCH_COLUMN_PER_OP, PER_OP_SYSCALLS, NULL },
	{ BENCH_COLUMN_PER_OP, PER_OP_MINOR_FAULTS, "faults" },
	{ BENCH_COLUMN_METRIC, BENCH_METRIC_VSZ, NULL },
	{ BENCH_COLUMN_HISTORY, 0, NULL },
};

static const struct bench_layout spawn_layout = {
	.title = "Create a process, wait for it",
	SHOWN(spawn_shown),
	.details = 1 << 2 | 1 << 5 | 1 << 6 | 1 << 9, /* of 100,000, CPU times, VSZ */
};

/* From execve to exit, and whose time each part is. */
static const struct bench_shown startup_shown[] = {
	{ BENCH_COLUMN_METRIC, BENCH_METRIC_TIME, "a start" },
	{ BENCH_COLUMN_INTERVAL, BENCH_METRIC_TIME, "95 % interval" },
	{ BENCH_COLUMN_RATIOS, 0, "against" },
	{ BENCH_COLUMN_PER_OP, PER_OP_KERNEL_EXEC, NULL },
	{ BENCH_COLUMN_PER_OP, PER_OP_LD_SO_TIME, NULL },
	{ BENCH_COLUMN_PER_OP, PER_OP_LIBC_START, NULL },
	{ BENCH_COLUMN_PER_OP, PER_OP_MAIN_TIME, NULL },
	{ BENCH_COLUMN_PER_OP, PER_OP_END_TIME, NULL },
	{ BENCH_COLUMN_PER_OP, PER_OP_SYSCALLS, NULL },
	{ BENCH_COLUMN_PER_OP, PER_OP_MINOR_FAULTS, "faults" },
	{ BENCH_COLUMN_PER_OP, PER_OP_LD_SO_FAULTS, NULL },
};

/* Ratios without times cannot stand in a column of times. */
static void print_startup_history(const struct table_output *output)
{
	wrap__print("Then:",
		    "in 2006 a program that does nothing took 1.38 to 1.47 times as long with shared "
		    "glibc as with dietlibc, and 1.06 times with static glibc. strace showed 21 "
		    "system calls with shared glibc, 5 with static glibc, 2 with dietlibc "
		    "(Siebenmann, The other dynamic linking tax, Fedora Core 2).",
		    0, sizeof("Then:"), output);
}

static const struct bench_layout startup_layout = {
	.title = "From execve to the end",
	SHOWN(startup_shown),
	.history = print_startup_history,
};

const struct bench_layout *bench_layout__of(enum bench_kind kind)
{
	static const struct bench_layout *const layouts[BENCH_KIND_COUNT] = {
		[BENCH_FORK] = &fork_layout,
		[BENCH_SPAWN] = &spawn_layout,
		[BENCH_STARTUP] = &startup_layout,
		[BENCH_SERVE] = &bench_serve_layout,
	};

	return layouts[kind];
}
