/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finds the loop programs of forktax in every linkage: in libexec/forktax, or in the build tree beside
 * the executable.
 */
#ifndef FORKTAX_MEASURE_LOOP_LOOPS_H
#define FORKTAX_MEASURE_LOOP_LOOPS_H

#include <stdbool.h>

struct linkage {
	const char *name; /* of the row: "dynamic", "-z now", "dietlibc" */
	const char *directory; /* of its programs: "dynamic", "now", "diet" */
	const char *environment; /* "LD_BIND_NOW=1"; NULL: none */
	const char *what; /* one phrase for people */
	const char *package; /* needed to build it; NULL: none */
	bool is_static; /* no library can be added to it */
};

enum linkage_id {
	LOOP_DYNAMIC,
	LOOP_NOW,
	LOOP_BIND_NOW, /* the dynamic program with LD_BIND_NOW=1 */
	LOOP_STATIC,
	LOOP_STATIC_PIE,
	LOOP_DIET,
	LOOP_MUSL,
	LOOP_COUNT,
};

/* In the order of the rows of every bench. */
extern const struct linkage linkages[LOOP_COUNT];

/*
 * The path of a loop program in that linkage, to be freed. On failure returns NULL and stores reason
 * and remedy (both to be freed) for the cell. `directory` is that of FORKTAX_LOOPS; NULL: the usual places.
 */
char *loops__find(const char *directory, enum linkage_id linkage, const char *name, char **reason, char **remedy);

#endif
