/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A list in order in which nothing stands twice.
 */
#ifndef FORKTAX_BASE_UNITE_H
#define FORKTAX_BASE_UNITE_H

#include <stdlib.h>
#include <string.h>

/* Takes all of `more` over into `kept`, which compares as equal. */
typedef void unite_fn(void *kept, void *more);

/* Sorts the list, and makes one element of those that compare as equal. Returns how many are left. */
static inline size_t unite(void *list, size_t count, size_t size,
			   int (*compare)(const void *left, const void *right), unite_fn *join)
{
	char *item = list, *kept = NULL;

	if (count) /* qsort() wants no NULL, not even for nothing */
		qsort(list, count, size, compare);
	for (size_t i = 0; i < count; i++, item += size) {
		if (kept && !compare(kept, item)) {
			join(kept, item);
			continue;
		}
		kept = kept ? kept + size : item;
		memmove(kept, item, size);
	}
	return kept ? (size_t)(kept - (char *)list) / size + 1 : 0;
}

#endif
