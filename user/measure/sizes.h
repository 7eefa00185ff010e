/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sizes of memory, as written in options.
 */
#ifndef FORKTAX_MEASURE_SIZES_H
#define FORKTAX_MEASURE_SIZES_H

#include <stddef.h>
#include <stdint.h>

enum { SIZES_MAX = 64 };

struct sizes {
	uint64_t bytes[SIZES_MAX]; /* ascending */
	size_t count;
};

/* These return 0, or -1 and store a reason (to be freed). */

/* Reads a size such as 512, 4K, 1.5M, 1G (powers of 1024). */
int sizes__one(const char *text, uint64_t max, uint64_t *bytes, char **reason);
/* Reads A,B,C. */
int sizes__parse(const char *text, uint64_t max, struct sizes *sizes, char **reason);

/* "16M", "1000": the shortest text that sizes__one() reads as this number; to be freed. */
char *sizes__text(uint64_t bytes);

#endif
