/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Allocation that cannot fail: running out of memory ends the program, everywhere in forktax.
 */
#ifndef FORKTAX_BASE_MEMORY_H
#define FORKTAX_BASE_MEMORY_H

#include <err.h>
#include <stdlib.h>
#include <string.h>

static inline void *checked(void *memory)
{
	if (!memory)
		err(125, "out of memory");
	return memory;
}

static inline void *checked_calloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size));
}

static inline char *checked_strdup(const char *text)
{
	return checked(strdup(text));
}

/* Makes room for element number `count`. Doubles the room when `count` is a power of two. */
static inline void *checked_grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return checked(reallocarray(array, count ? 2 * count : 1, size));
}

#endif
