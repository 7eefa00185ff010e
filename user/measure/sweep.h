/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers, sizes and sweeps as options have them.
 */
#ifndef FORKTAX_MEASURE_SWEEP_H
#define FORKTAX_MEASURE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/bench.h"

/* An axis of a measurement: something that it can have more or less of. */
struct sweep_axis {
	const char *name; /* "resident" */
	const char *unit; /* "bytes": with K, M, G and T; "pages", ...: a plain number */
	uint64_t max; /* the most that makes sense */
	const char *definition; /* one phrase for --help and errors */
};

enum { SWEEP_POINTS_MAX = 64 };

struct sweep {
	const struct sweep_axis *axis; /* NULL: no sweep */
	uint64_t points[SWEEP_POINTS_MAX]; /* ascending */
	size_t count;
};

/* These return 0, or -1 and store a reason (to be freed). */

/* A whole number, or a size such as 512, 4K, 1.5M, 1G if `is_size` (powers of 1024). */
int sweep__number(const char *text, bool is_size, uint64_t max, uint64_t *number, char **reason);
/*
 * AXIS=LOW..HIGH (each point four times the one before, LOW and HIGH included; 0 is followed by 1)
 * or AXIS=A,B,C. `axes` ends with one without a name.
 */
int sweep__parse(const char *text, const struct sweep_axis *axes, struct sweep *sweep,
		 char **reason);

/* A column for each of its points, on its axis; nothing without one. */
void sweep__add_columns(const struct sweep *sweep, struct bench *bench);
/* Notes how much of each axis (same index in `load`) all cells have: not 0, and not that of the sweep. */
void sweep__note_loads(const struct sweep *sweep, const struct sweep_axis *axes,
		       const uint64_t *load, struct bench *bench);

/* "16M", "1000": the shortest text that sweep__number reads as that; to be freed. */
char *sweep__text(uint64_t number, bool is_size);

#endif
