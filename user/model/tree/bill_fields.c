// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of a bill: schema forktax/1. */
#include "base/text.h"
#include "model/run/run_fields.h"

static const struct words kind_words = WORDS_OF(bill_kind_keys);

static char *row_law(const struct scope *scope)
{
	const struct bill_row *row = scope->self;

	if (row->kind == BILL_ASLEEP || (row->kind == BILL_CALL) == (row->call_nr >= 0))
		return NULL;
	return text__of("a row of the bill that is no call has one");
}

static char *bill_law(const struct scope *scope)
{
	const struct bill *bill = scope->self;

	return bill__wall(bill) == bill->wall_ns ? NULL : text__of("the rows of the bill are not the clock of the run");
}

#define S struct bill_row
static const struct field bill_row_fields[] = {
	KEY("kind", kind, kind_words,
	    .note = "fork: fork calls of the program, its copies until they are in user mode, and their end; start: "
		    "exec, ld.so and constructors, and the end of the process; call: a system call with one outcome; "
		    "code: all else that the program does. No thread runs: asleep: all sleep, and the "
		    "one that is woken first did in this call; ready: the command waits for a CPU or a "
		    "wake-up; device: for a timer, a device or the network; others: for another process; unknown"),
	INDEX("exe", exe, run__exes, NULLABLE, .note = "index into exes; null: a wait"),
	BOOL("executed", executed, .note = "false: by copies that forks made of it"),
	INTEGER("call_nr", call_nr, -1, INT32_MAX, .note = "-1: no call"),
	KEY("call_abi", call_abi, abi_words),
	INTEGER("error", error, 0, 4095, .note = "errno of the call; 0: it succeeded"),
	COUNT("count", count, .note = "of processes (fork, code), programs (start) or calls"),
	COUNT("wall_ns", wall_ns,
	      .note = "part of the clock: each moment is divided equally among the threads that run in it"),
	COUNT("cpu_ns", cpu_ns, .note = "CPU time"),
};
static const struct shape bill_row_shape = SHAPE_OF(bill_row, .law = row_law,
	.note = "what a part of the time of a run is spent on");
#undef S

#define S struct bill
static const struct field bill_fields[] = {
	LIST("rows", rows, count, bill_row_shape, .lines = true, .note = "the largest first"),
	COUNT("wall_ns", wall_ns, .note = "clock of the command: all rows together"),
	COUNT("cpu_ns", cpu_ns, .note = "CPU time of all threads that have ended, as the kernel counts it"),
	COUNT("unfinished", unfinished, .note = "threads that outlive the command: CPU times have nothing of them"),
	COUNT("untraced_wall_ns", untraced_wall_ns, .note = "median of runs that were not traced; 0: there were none"),
	COUNT("untraced_cpu_ns", untraced_cpu_ns, .note = "of the same"),
};
const struct shape bill_shape = SHAPE_OF(bill, .law = bill_law,
	.note = "where the time of the run goes: as traced (explain, --tree-times)");
#undef S
