/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers, sizes and sweeps, as written in options.
 */
#ifndef FORKTAX_MEASURE_SWEEP_H
#define FORKTAX_MEASURE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/bench/bench.h"

/* An axis of a measurement: something it can have more or less of. */
struct sweep_axis {
	const char *name; /* "resident" */
	const char *unit; /* "bytes": numbers may have K, M, G or T; others: plain numbers */
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

/* Reads a whole number or, if `is_size`, a size such as 512, 4K, 1.5M, 1G (powers of 1024). */
int sweep__number(const char *text, bool is_size, uint64_t max, uint64_t *number, char **reason);
/*
 * Reads AXIS=LOW..HIGH (from LOW to HIGH, each point four times the one before; after 0 comes 1, or
 * 4096 bytes) or AXIS=A,B,C. An axis without a name ends `axes`.
 */
int sweep__parse(const char *text, const struct sweep_axis *axes, struct sweep *sweep,
		 char **reason);

/* Adds a column for each point, and the axis; nothing if there is no sweep. */
void sweep__add_columns(const struct sweep *sweep, struct bench *bench);
/* Notes the amounts that all cells have on each axis (same index), except 0 and the sweep's axis. */
void sweep__note_loads(const struct sweep *sweep, const struct sweep_axis *axes,
		       const uint64_t *load, struct bench *bench);

/* "16M", "1000": the shortest text that sweep__number() reads as this number; to be freed. */
char *sweep__text(uint64_t number, bool is_size);

#endif
