// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_descendants.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "pool/pool_process.h"

static bool is_one_of(int32_t pid, const int32_t *pids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

int32_t *pool_descendants__find(const int32_t *pids, size_t count, size_t *found)
{
	size_t all, before;
	autofree int32_t *everybody = procfs__pids(&all);
	int32_t *list = NULL;
	struct pool_process process;

	*found = 0;
	do { /* children of those that the last pass has found */
		before = *found;
		for (size_t i = 0; i < all; i++) {
			if (is_one_of(everybody[i], list, *found) || is_one_of(everybody[i], pids, count) ||
			    !pool_process__read(&process, everybody[i]) || process.state == 'Z')
				continue;
			if (!is_one_of(process.parent, pids, count) && !is_one_of(process.parent, list, *found))
				continue;
			list = checked_grow(list, *found, sizeof(*list));
			list[(*found)++] = process.pid;
		}
	} while (*found != before);
	return list;
}
