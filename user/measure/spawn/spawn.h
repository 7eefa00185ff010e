/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `forktax bench spawn`: ways to create a process, from parents of several sizes, after table 28-3 of
 * The Linux Programming Interface. The ways are rows of probes/spawn_methods.def.
 */
#ifndef FORKTAX_MEASURE_SPAWN_SPAWN_H
#define FORKTAX_MEASURE_SPAWN_SPAWN_H

#include "measure/engine.h"
#include "measure/loop/loops.h"
#include "measure/sizes.h"

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

/* The columns of the book, as an argument of sizes__parse(). */
#define SPAWN_BOOK_SIZES "1.7M,2.7M,11.7M"
#define SPAWN_SIZE_MAX (1ull << 39)

struct spawn_settings {
	bool methods[SPAWN_METHOD_COUNT]; /* those wanted */
	struct sizes sizes; /* virtual memory of the parent, as ps -o vsz shows it */
	const char *const *shells; /* paths: system() is also measured with each of these */
	size_t shell_count;
	const char *loops; /* directory of loop programs; NULL: the usual places */
};

struct bench_plan *bench_spawn__plan(const struct spawn_settings *settings);
/* Paths of the installed shells, each to be freed, and the array; NULL: none. */
char **spawn_shells__installed(size_t *count);

#endif
