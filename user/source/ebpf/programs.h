/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The programs of the kernel half: what each is loaded for, and which stands in for which.
 */
#ifndef FORKTAX_SOURCE_EBPF_PROGRAMS_H
#define FORKTAX_SOURCE_EBPF_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_program;
struct forktax_bpf;

/* What a program may need, and a map serve (used_maps.h): of the run, and of the kernel. Bits. */
enum program_need {
	FOR_CLASSES = 1 << 0,
	FOR_ANATOMY = 1 << 1,
	FOR_ATTACHING = 1 << 2,
	FOR_CGROUPS = 1 << 7,
	FOR_NEW_CGROUPS = 1 << 8,
	FOR_NEWBORN = 1 << 12, /* processes that no counted one creates */
	FOR_GROUPS = 1 << 10, /* by process and group */
	FOR_UNITS = 1 << 11, /* instead of that */
	FOR_TREE = 1 << 13,
	FOR_PATH = 1 << 14,
	FOR_WAKES = 0x400000, /* of the threads of a tree */
	FOR_TIMES = 0x20000, /* of calls */
	FOR_STACKS = 0x40000,
	FOR_FLOW = 0x80000,
	FOR_LINES = 0x100000,
	FOR_SINGLE_CALLS = 0x200000,
	ON_PREEMPTIBLE = 1 << 3, /* see struct drift */
	ON_EXTENTS = 1 << 4,
	ON_LOCKS = 1 << 5,
	ON_EARLY_EXITS = 1 << 15, /* see tells_exits_late in struct drift */
	ON_LATE_EXITS = 1 << 16,
	ON_PAGE_TABLES = 1 << 6, /* they can be read: see page_tables.h */
};

/*
 * Leaves out every program with a need that is not in `there` (bits). To be called before loading.
 */
void programs__choose(struct forktax_bpf *skeleton, unsigned int there);

/* The program to attach where faults begin (fault_events.h); NULL: tracepoints open their windows, or nothing does. */
const struct bpf_program *programs__fault_begin(const struct forktax_bpf *skeleton);

/*
 * How many events may be lost because the kernel does not run a program on a CPU where that program
 * runs already. With understudies an event is lost only if all missed it: so the smallest of their
 * numbers counts.
 */
uint64_t programs__misses(const struct forktax_bpf *skeleton);
/* Has each program, understudies too, run for each of its events? */
bool programs__miss_nothing(const struct forktax_bpf *skeleton);

#endif
