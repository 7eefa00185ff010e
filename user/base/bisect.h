/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Binary search in whatever is in order.
 */
#ifndef FORKTAX_BASE_BISECT_H
#define FORKTAX_BASE_BISECT_H

#include <stdbool.h>
#include <stddef.h>

/* Does element `index` of a list stand before the one that is searched for? */
typedef bool bisect_fn(const void *list, size_t index, const void *what);

/* How many of the first `count` elements do: those that do come first. */
static inline size_t bisect(const void *list, size_t count, bisect_fn *stands_before, const void *what)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stands_before(list, middle, what))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
