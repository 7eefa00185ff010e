/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All processes that come from one that forktax has started, whatever they execute; orphans among
 * them are our children (child__adopt_orphans()).
 */
#ifndef FORKTAX_MEASURE_POOL_POOL_TREE_H
#define FORKTAX_MEASURE_POOL_POOL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tree_process {
	pid_t pid, parent;
	char state; /* of its first thread: R, S, Z, ... */
	/* Since they began; with those of children that were waited for. */
	uint64_t minor_faults;
	double cpu_ns;
};

struct pool_tree {
	struct tree_process *list; /* by pid */
	size_t count;
};

/* Those of our children, and so their descendants, that are no part of it. */
struct pool_excluded {
	pid_t *list; /* owned */
	size_t count;
};

/* Our children now. */
void pool_excluded__find(struct pool_excluded *excluded);
void pool_excluded__add(struct pool_excluded *excluded, pid_t pid);
void pool_excluded__release(struct pool_excluded *excluded);

void pool_tree__read(struct pool_tree *tree, const struct pool_excluded *excluded);
void pool_tree__release(struct pool_tree *tree);
double pool_tree__cpu_ns(const struct pool_tree *tree);
/*
 * One of them ignores SIGCHLD: what its children have used is lost when they end (wait(2)). By
 * SigIgn of /proc/PID/status, where SA_NOCLDWAIT is not to be seen.
 */
bool pool_tree__forgets_children(const struct pool_tree *tree);
uint64_t pool_tree__minor_faults(const struct pool_tree *tree);

/*
 * Kills all of it and waits for our children among them, adding their minor faults (and those of the
 * children that they waited for) to `faults`. False: something has survived.
 */
bool pool_tree__kill(const struct pool_excluded *excluded, uint64_t *faults);

#endif
