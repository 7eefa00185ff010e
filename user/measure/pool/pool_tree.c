// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pool/pool_tree.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/procfs.h"

/* For killed processes to end: one that hangs in the kernel is not worth waiting for. */
enum { PATIENCE_MS = 5000 };

/* False: it is gone. */
static bool read_process(struct tree_process *process, pid_t pid)
{
	char text[1024], *rest = procfs__stat(pid, text, sizeof(text));
	uint64_t own = 0, waited = 0;
	long user = 0, system = 0;

	if (!rest || sscanf(rest, " %c %d %*d %*d %*d %*d %*u %" SCNu64 " %" SCNu64
				  " %*u %*u %*u %*u %ld %ld",
			    &process->state, &process->parent, &own, &waited, &user, &system) != 6)
		return false;
	process->pid = pid;
	process->minor_faults = own + waited;
	process->cpu_ns = procfs__cpu_ns(pid) + (user + system) * 1e9 / sysconf(_SC_CLK_TCK);
	return true;
}

static void add(struct pool_tree *tree, const struct tree_process *process)
{
	tree->list = checked_grow(tree->list, tree->count, sizeof(*tree->list));
	tree->list[tree->count++] = *process;
}

static struct pool_tree everything(void)
{
	struct pool_tree all = { 0 };
	struct tree_process process;
	size_t count;
	int32_t *pids = procfs__pids(&count);

	for (size_t i = 0; i < count; i++)
		if (read_process(&process, pids[i]))
			add(&all, &process);
	free(pids);
	return all;
}

static bool has(const struct pool_tree *tree, pid_t pid)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->list[i].pid == pid)
			return true;
	return false;
}

static bool is_excluded(const struct pool_excluded *excluded, pid_t pid)
{
	for (size_t i = 0; i < excluded->count; i++)
		if (excluded->list[i] == pid)
			return true;
	return false;
}

static int by_pid(const void *left, const void *right)
{
	const struct tree_process *a = left, *b = right;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

void pool_tree__read(struct pool_tree *tree, const struct pool_excluded *excluded)
{
	struct pool_tree all = everything();
	const pid_t self = getpid();
	size_t before;

	*tree = (struct pool_tree){ 0 };
	do { /* a generation each time */
		before = tree->count;
		for (size_t i = 0; i < all.count; i++) {
			const struct tree_process *one = &all.list[i];
			bool belongs = one->parent == self ? !is_excluded(excluded, one->pid) :
							     has(tree, one->parent);

			if (belongs && !has(tree, one->pid))
				add(tree, one);
		}
	} while (tree->count > before);
	if (tree->count)
		qsort(tree->list, tree->count, sizeof(*tree->list), by_pid);
	pool_tree__release(&all);
}

void pool_tree__release(struct pool_tree *tree)
{
	free(tree->list);
	*tree = (struct pool_tree){ 0 };
}

double pool_tree__cpu_ns(const struct pool_tree *tree)
{
	double sum = 0;

	for (size_t i = 0; i < tree->count; i++)
		sum += tree->list[i].cpu_ns;
	return sum;
}

static bool ignores_sigchld(pid_t pid)
{
	FILE *stream = procfs__open(pid, "status");
	char line[256];
	uint64_t ignored = 0;

	while (stream && fgets(line, sizeof(line), stream))
		if (sscanf(line, "SigIgn: %" SCNx64, &ignored) == 1)
			break;
	if (stream)
		fclose(stream);
	return ignored >> (SIGCHLD - 1) & 1;
}

bool pool_tree__forgets_children(const struct pool_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->list[i].state != 'Z' && ignores_sigchld(tree->list[i].pid))
			return true;
	return false;
}

uint64_t pool_tree__minor_faults(const struct pool_tree *tree)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < tree->count; i++)
		sum += tree->list[i].minor_faults;
	return sum;
}

/* By a descriptor: who has its id by the time of the signal is who was looked at. */
static void kill_process(const struct tree_process *process)
{
	struct tree_process now;
	int pidfd = syscall(SYS_pidfd_open, process->pid, 0);

	if (pidfd < 0)
		return;
	if (read_process(&now, process->pid) && now.parent == process->parent)
		syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
	close(pidfd);
}

/* False: there is nothing left. */
static bool kill_once(const struct pool_excluded *excluded, uint64_t *faults)
{
	struct pool_tree tree;
	bool any;

	pool_tree__read(&tree, excluded);
	any = tree.count > 0;
	for (size_t i = 0; i < tree.count; i++) {
		const struct tree_process *one = &tree.list[i];
		struct rusage usage;

		if (one->state != 'Z')
			kill_process(one);
		if (one->parent == getpid() && wait4(one->pid, NULL, WNOHANG, &usage) == one->pid)
			*faults += usage.ru_minflt;
	}
	pool_tree__release(&tree);
	return any;
}

bool pool_tree__kill(const struct pool_excluded *excluded, uint64_t *faults)
{
	for (int waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += 2) {
		if (!kill_once(excluded, faults))
			return true;
		usleep(2000); /* killed, but not yet ended; or adopted just now */
	}
	return false;
}

void pool_excluded__add(struct pool_excluded *excluded, pid_t pid)
{
	excluded->list = checked_grow(excluded->list, excluded->count, sizeof(pid_t));
	excluded->list[excluded->count++] = pid;
}

void pool_excluded__find(struct pool_excluded *excluded)
{
	struct pool_tree all = everything();

	*excluded = (struct pool_excluded){ 0 };
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i].parent == getpid())
			pool_excluded__add(excluded, all.list[i].pid);
	pool_tree__release(&all);
}

void pool_excluded__release(struct pool_excluded *excluded)
{
	free(excluded->list);
	*excluded = (struct pool_excluded){ 0 };
}
