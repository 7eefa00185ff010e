// SPDX-License-Identifier: GPL-2.0-or-later
/* From execve to exit, and which part of it is whose. */
#include "format/wrap.h"
#include "report/bench/bench_layout.h"

static const struct bench_shown shown[] = {
	{ SHOWS_METRIC, BENCH_METRIC_TIME, "a start" },
	{ SHOWS_INTERVAL, BENCH_METRIC_TIME, "95 % interval" },
	{ SHOWS_RATIOS, 0, "against" },
	{ SHOWS_PER_OP, PER_OP_KERNEL_EXEC, NULL },
	{ SHOWS_PER_OP, PER_OP_LD_SO_TIME, NULL },
	{ SHOWS_PER_OP, PER_OP_LIBC_START, NULL },
	{ SHOWS_PER_OP, PER_OP_MAIN_TIME, NULL },
	{ SHOWS_PER_OP, PER_OP_END_TIME, NULL },
	{ SHOWS_PER_OP, PER_OP_SYSCALLS, NULL },
	{ SHOWS_PER_OP, PER_OP_MINOR_FAULTS, "faults" },
	{ SHOWS_PER_OP, PER_OP_LD_SO_FAULTS, NULL },
};

/* Ratios without times cannot stand in a column of times. */
static void tell_history(const struct table_output *output)
{
	wrap__print("Then:",
		    "in 2006 a program that does nothing took 1.38 to 1.47 times as long with shared "
		    "glibc as with dietlibc, and 1.06 times with static glibc. strace showed 21 "
		    "system calls with shared glibc, 5 with static glibc, 2 with dietlibc "
		    "(Siebenmann, The other dynamic linking tax, Fedora Core 2).",
		    0, sizeof("Then:"), output);
}

const struct bench_layout bench_startup_layout = {
	.title = "From execve to the end",
	.operation = "start",
	.shown = shown,
	.shown_count = sizeof(shown) / sizeof(shown[0]),
	.history = tell_history,
};
