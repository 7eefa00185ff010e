// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/cgroup_pids.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"
#include "source/cgroup_directory.h"

struct pids {
	int32_t *list;
	size_t count;
};

/* Where cgroups are threaded, threads may be in another one than the first thread, which decides. */
static bool is_first_thread(int32_t tid)
{
	FILE *status = procfs__open(tid, "status");
	char line[256];
	int tgid = 0;

	while (status && !tgid && fgets(line, sizeof(line), status))
		sscanf(line, "Tgid: %d", &tgid);
	if (status)
		fclose(status);
	return tgid == tid;
}

/* cgroup.procs of a threaded cgroup cannot be read. False: so here. */
static bool read_file(struct pids *pids, const char *directory, const char *name, bool of_threads)
{
	autofree char *path = text__of("%s/%s", directory, name);
	FILE *file = fopen(path, "re");
	bool any = false;
	int32_t pid;

	while (file && fscanf(file, "%d", &pid) == 1) {
		any = true;
		if (!pid || (of_threads && !is_first_thread(pid))) /* 0: of another pid namespace */
			continue;
		pids->list = checked_grow(pids->list, pids->count, sizeof(*pids->list));
		pids->list[pids->count++] = pid;
	}
	any |= file && !ferror(file);
	if (file)
		fclose(file);
	return any;
}

struct tree {
	struct pids *pids;
	const char *path; /* of the directory */
};

static void read_tree(struct pids *pids, const char *path);

static void read_below(void *context, const char *name, uint64_t id)
{
	const struct tree *tree = context;
	autofree char *below = text__of("%s/%s", tree->path, name);

	(void)id;
	read_tree(tree->pids, below);
}

static void read_tree(struct pids *pids, const char *path)
{
	struct tree tree = { pids, path };

	if (!read_file(pids, path, "cgroup.procs", false))
		read_file(pids, path, "cgroup.threads", true);
	cgroup_directory__each(path, read_below, &tree);
}

int32_t *cgroup_pids__read(const struct cgroups *cgroups, size_t *count)
{
	struct pids pids = { .list = checked_calloc(1, sizeof(*pids.list)) };

	for (size_t i = 0; i < cgroups->count; i++) {
		autofree char *path = text__of("%s%s", cgroups->root, cgroups->list[i].path);

		read_tree(&pids, path);
	}
	*count = pids.count;
	return pids.list;
}
