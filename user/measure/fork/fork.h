/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `forktax bench fork`: a loop of fork(), the end of the child, and wait(), in every linkage and under
 * chosen loads.
 */
#ifndef FORKTAX_MEASURE_FORK_FORK_H
#define FORKTAX_MEASURE_FORK_FORK_H

#include "measure/engine.h"
#include "measure/sweep.h"

/* Loads of parent and child: each is a number, an option and an axis of --sweep. */
enum fork_load {
	LOAD_RESIDENT,
	LOAD_PAGES,
	LOAD_CALLS,
	LOAD_LIBRARIES,
	LOAD_MAPPINGS,
	LOAD_THREADS,
	LOAD_COUNT,
};

/* They are measured in this order; an entry without a name ends the list. */
extern const struct sweep_axis fork_axes[LOAD_COUNT + 1];

/* A program of the user's as a row: "NAME=COMMAND WITH ARGUMENTS". */
struct fork_row {
	const char *name;
	const char *command; /* split at spaces; {} is the point of a sweep */
};

struct fork_settings {
	uint64_t load[LOAD_COUNT];
	bool huge; /* resident memory in huge pages */
	bool with_exit; /* the child leaves by exit(), not _exit() */
	struct sweep sweep; /* axis NULL: none */
	const struct fork_row *rows; /* besides those of all linkages */
	size_t row_count;
	const char *loops; /* directory of loop programs; NULL: the usual places */
};

/* Cells of the plan that cannot be measured here say why. */
struct bench_plan *bench_fork__plan(const struct fork_settings *settings);

#endif
