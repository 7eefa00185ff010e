/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `forktax bench startup`: an empty program in every linkage, and any commands, from execve to exit.
 */
#ifndef FORKTAX_MEASURE_STARTUP_STARTUP_H
#define FORKTAX_MEASURE_STARTUP_STARTUP_H

#include "measure/engine.h"
#include "measure/sweep.h"

/* More work for ld.so, in our own programs: options and axes of --sweep. */
enum startup_load { STARTUP_LIBRARIES, STARTUP_RELOCATIONS, STARTUP_LOAD_COUNT };

/* They are measured in this order; an entry without a name ends the list. */
extern const struct sweep_axis startup_axes[STARTUP_LOAD_COUNT + 1];
/*
 * Only a few numbers of relocations are available, a library for each. Returns 0, or -1 and stores a
 * reason (to be freed).
 */
int bench_startup__check_relocations(uint64_t count, char **reason);

/* A command as a row. */
struct startup_row {
	const char *name;
	const char *path; /* of its executable */
	char *const *argv; /* NULL-terminated */
};

struct startup_settings {
	uint64_t load[STARTUP_LOAD_COUNT];
	struct sweep sweep; /* axis NULL: none */
	const struct startup_row *rows; /* besides those of all linkages */
	size_t row_count;
	bool may_fail; /* commands may exit with other than 0 */
	const char *loops; /* directory of loop programs; NULL: the usual places */
};

struct bench_plan *bench_startup__plan(const struct startup_settings *settings);

#endif
