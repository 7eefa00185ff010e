// SPDX-License-Identifier: GPL-2.0-or-later
/* Ends what is left: groups, orphans, and whatever else was started. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "launch/child.h"

/* For killed processes to end: one that hangs in the kernel is not worth waiting for. */
enum { PATIENCE_MS = 5000 };

void child__reap_group(pid_t group)
{
	int waited_ms = 0;
	pid_t pid;

	while ((pid = waitpid(-group, NULL, WNOHANG)) >= 0 && waited_ms < PATIENCE_MS) {
		if (!pid) {
			usleep(1000); /* killed, but not yet ended */
			waited_ms++;
		}
	}
}

void child__end_group(pid_t group)
{
	kill(-group, SIGKILL);
	child__reap_group(group);
}

/* What a shell had started before it executed forktax: not ours to end. */
static pid_t *inherited;
static size_t inherited_count;

static bool is_inherited(pid_t pid)
{
	for (size_t i = 0; i < inherited_count; i++) {
		if (inherited[i] == pid)
			return true;
	}
	return false;
}

/* Without this file (CONFIG_PROC_CHILDREN) only process groups can be ended. */
static FILE *open_children(void)
{
	return fopen("/proc/thread-self/children", "re");
}

void child__adopt_orphans(void)
{
	FILE *list = open_children();
	int pid;

	inherited_count = 0;
	while (list && fscanf(list, "%d", &pid) == 1) {
		inherited = checked_grow(inherited, inherited_count, sizeof(*inherited));
		inherited[inherited_count++] = pid;
	}
	if (list)
		fclose(list);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* False: there are none. */
static bool kill_children(void)
{
	FILE *list = open_children();
	bool any = false;
	int pid;

	while (list && fscanf(list, "%d", &pid) == 1) {
		if (is_inherited(pid))
			continue;
		kill(pid, SIGKILL);
		any = true;
	}
	if (list)
		fclose(list);
	return any;
}

void child__end_all(void)
{
	for (int waited_ms = 0; waited_ms < PATIENCE_MS && kill_children(); waited_ms++) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		usleep(1000); /* killed, but not yet ended; or adopted just now */
	}
}
