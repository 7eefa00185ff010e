// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/process_tree.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/procfs.h"

struct pids {
	int32_t *list;
	size_t count;
};

/* 0: it is gone. */
static int32_t parent_of(int32_t pid)
{
	char text[512], *fields = procfs__stat(pid, text, sizeof(text));
	int parent;

	return fields && sscanf(fields, " %*c %d", &parent) == 1 ? parent : 0;
}

static void add(struct pids *pids, int32_t pid)
{
	pids->list = checked_grow(pids->list, pids->count, sizeof(*pids->list));
	pids->list[pids->count++] = pid;
}

/* Takes the children of `parent` out of `all`, where they are 0 then: so nobody is found twice. */
static void take_children(struct pids *found, int32_t parent, int32_t *all, const int32_t *parents, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!all[i] || parents[i] != parent)
			continue;
		add(found, all[i]);
		all[i] = 0;
	}
}

static void leave_out(int32_t *all, size_t count, int32_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (all[i] == pid)
			all[i] = 0;
}

/* The loop goes on with those that it adds. */
int32_t *process_tree__below(const int32_t *pids, size_t pid_count, size_t *count)
{
	struct pids found = { 0 };
	size_t all_count;
	autofree int32_t *all = procfs__pids(&all_count);
	autofree int32_t *parents = checked_calloc(all_count, sizeof(*parents));

	for (size_t i = 0; i < all_count; i++)
		parents[i] = parent_of(all[i]);
	for (size_t i = 0; i < pid_count; i++)
		leave_out(all, all_count, pids[i]);
	for (size_t i = 0; i < pid_count; i++)
		take_children(&found, pids[i], all, parents, all_count);
	for (size_t done = 0; done < found.count; done++)
		take_children(&found, found.list[done], all, parents, all_count);
	*count = found.count;
	return found.list;
}
