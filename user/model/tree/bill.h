/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the time of a run goes (docs/use/bill.md): its clock, divided once. A moment belongs in equal parts to the
 * threads of the tree that run in it; where none runs, to what the command waits for. Together the rows are the clock.
 */
#ifndef FORKTAX_MODEL_TREE_BILL_H
#define FORKTAX_MODEL_TREE_BILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/tree/critical_path.h"

enum bill_kind {
	BILL_FORK, /* of the program that forks: fork calls, copies of it until they are in user mode, and their end */
	BILL_START, /* exec, ld.so, constructors of libraries; and the end of the process, whose memory is torn down */
	BILL_CALL, /* one system call with one outcome */
	BILL_CODE, /* all else, mostly in user mode: with page faults, and calls that are not listed */
	BILL_ASLEEP, /* this and the next, no thread runs: all sleep, the one that is woken first in this call */
	BILL_READY, /* the command waits for a CPU, or its wake-up is under way */
	BILL_DEVICE, /* ... for a timer, a device or the network */
	BILL_OTHERS, /* ... for a process outside of the tree, or a thread of the kernel */
	BILL_UNKNOWN, /* it was not seen what for, or not who ran */
	BILL_KINDS,
};

extern const char *const bill_kind_keys[BILL_KINDS];

struct bill_row {
	enum bill_kind kind;
	uint32_t exe; /* index into run.exes; NO_EXE: of waits, or not known */
	bool executed; /* false: by copies that forks made of it */
	int32_t call_nr; /* these three: of a call; -1: none, or not known */
	uint32_t call_abi;
	uint32_t error; /* errno; 0: it succeeded */
	uint64_t count; /* of processes, images or calls; waits have none */
	uint64_t wall_ns, cpu_ns;
};

/* The largest first, by their part of the clock. */
struct bill {
	struct bill_row *rows;
	size_t count;
	uint64_t wall_ns; /* of the command, from its execve to its end, or of the window: all rows together */
	uint64_t cpu_ns; /* of all threads that have ended, and of attached ones, as the kernel counts it */
	uint64_t unfinished; /* threads that outlive the command: the CPU column has nothing of them */
	/* Medians of runs that were not traced; 0: there were none. */
	uint64_t untraced_wall_ns, untraced_cpu_ns;
};

/*
 * What a run that is not traced would have: bill__untraced() of all rows together is its median. What waits for a timer
 * or a device waits as long. (If that alone is longer than the median, all of it together is, too.)
 */
struct bill_scale {
	double call_ns; /* what it takes to trace a call */
	double factor; /* for what is left of a row then */
};

/* What makes a row. At most 16 bytes, so that a table keeps it. */
struct bill_key {
	uint32_t exe; /* these: as in struct bill_row */
	int32_t nr;
	uint16_t error;
	uint8_t kind, executed, abi, zero[3];
};

/* The row of a key, which is added if it is new. `numbers`: of the rows so far. */
size_t bill__row(struct bill *bill, struct hash *numbers, const struct bill_key *key);
uint64_t bill__wall(const struct bill *bill);
/*
 * Times of rows are numbers of 2^-SHARE_BITS ns until all rows are made: now they are rounded, so that they are the
 * clock together. What they have less is a row of its own. False: they have more.
 */
bool bill__round(struct bill *bill);
/* "input or a timer": what a thread waits for that sleeps in this call. NULL: not known, or it rarely sleeps. */
const char *bill__sleeps_for(const char *call);
/* What was not known so far is this, by what the command waited for in it. */
void bill__divide_waits(struct bill *bill, const uint64_t idle_ns[PATH_PARTS]);
void bill__sort(struct bill *bill);
/* 0 and 1 where no run was not traced. */
struct bill_scale bill__scale(const struct bill *bill);
double bill__untraced(const struct bill_row *row, struct bill_scale scale, uint64_t ns);

#endif
