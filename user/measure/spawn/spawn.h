/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `forktax bench spawn`: ways to create a process, from parents of several sizes, after table 28-3 of
 * The Linux Programming Interface. The ways are rows of probes/spawn_methods.def.
 */
#ifndef FORKTAX_MEASURE_SPAWN_SPAWN_H
#define FORKTAX_MEASURE_SPAWN_SPAWN_H

#include "measure/engine.h"
#include "measure/loop/loops.h"
#include "measure/sweep.h"

enum spawn_method {
#define METHOD(id, ...) SPAWN_##id,
#include "spawn_methods.def"
#undef METHOD
	SPAWN_METHOD_COUNT
};

struct spawn_method_info {
	const char *key; /* on the command line */
	const char *name; /* of the row */
	bool executes; /* the child executes something */
	const char *what;
};

extern const struct spawn_method_info spawn_methods[SPAWN_METHOD_COUNT];

/* "size"; an entry without a name ends the list. */
extern const struct sweep_axis spawn_axes[];
/* The columns of the book, as an argument of sweep__parse(). */
#define SPAWN_BOOK_SIZES "size=1.7M,2.7M,11.7M"

struct spawn_settings {
	bool methods[SPAWN_METHOD_COUNT]; /* those wanted */
	struct sweep sizes; /* virtual memory of the parent, bytes */
	bool is_sweep; /* show them as an axis */
	bool untouched; /* the parent only reserves its additional memory, and never writes to it */
	bool huge; /* ... and is in huge pages */
	enum linkage_id linkage; /* of the parent, and of the program that children execute */
	const char *target; /* what children execute instead; NULL: the sample `true` */
	const char *const *shells; /* paths: system() is also measured with each of these */
	size_t shell_count;
	const char *loops; /* directory of loop programs; NULL: the usual places */
};

struct bench_plan *bench_spawn__plan(const struct spawn_settings *settings);
/* Paths of the installed shells, each to be freed, and the array; NULL: none. */
char **spawn_shells__installed(size_t *count);
/* Adds the book's figures for the rows and columns that the bench has. */
void bench_spawn__add_history(struct bench *bench, const struct spawn_settings *settings);

#endif
