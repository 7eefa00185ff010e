/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the time of a tree of processes is spent on, by program (docs/use/tree.md). The parts are those of
 * probes/tree_parts.def.
 */
#ifndef FORKTAX_MODEL_TREE_TREE_TIMES_H
#define FORKTAX_MODEL_TREE_TREE_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forktax.h"

/* Images of one program that have ended. */
struct tree_row {
	uint32_t exe; /* index into run.exes, or NO_EXE */
	bool executed; /* false: copies that forks made of it, of processes that never executed a program */
	uint64_t images;
	uint64_t no_entry; /* of these: the first instruction was not seen, so that `init` is part of `work` */
	uint64_t reaped; /* processes that a parent was seen to wait for: `reap` is their sum */
	uint64_t cpu_ns[TREE_COUNT]; /* of all threads */
	uint64_t wall_ns[TREE_COUNT]; /* of the first thread of each process */
};

uint64_t tree_row__cpu(const struct tree_row *row);

/* By CPU time, descending. */
struct tree_times {
	struct tree_row *rows;
	size_t count;
	uint64_t cpu_ns; /* of all threads that have ended, as the kernel counts it: getrusage(2) */
	uint64_t unfinished; /* threads that had not ended: nothing of them is in this */
	uint64_t left_out; /* threads and images that found no room */
};

uint64_t tree_times__cpu(const struct tree_times *times); /* of all parts */
uint64_t tree_times__part(const struct tree_times *times, enum tree_part part); /* CPU time */
uint64_t tree_times__wall(const struct tree_times *times, enum tree_part part);
/* How many programs were executed, and how many processes never executed one. */
uint64_t tree_times__starts(const struct tree_times *times);
uint64_t tree_times__copies(const struct tree_times *times);

#endif
