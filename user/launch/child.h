/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program that runs to its end, in a process group of its own unless it is to use the terminal.
 * None of the processes of that group is left then: also not after Ctrl-C, a crash, or the death of
 * forktax.
 */
#ifndef FORKTAX_LAUNCH_CHILD_H
#define FORKTAX_LAUNCH_CHILD_H

#include <sys/types.h>

#include "launch/interrupt.h"

enum child_stdio {
	CHILD_COLLECTED, /* stdin is /dev/null; of stdout and stderr the first 64 KiB each are kept */
	CHILD_QUIET, /* /dev/null, all three */
	CHILD_SHOWN, /* ours, and so is its process group: it may read from the terminal */
};

struct child_request {
	const char *path;
	char *const *argv; /* NULL-terminated */
	char *const *environment; /* NULL-terminated; NULL: our own */
	enum child_stdio stdio;
	bool no_aslr;
};

/* How it ended. */
struct child_result {
	bool interrupted; /* by a signal to forktax; it has been killed */
	int status; /* exit status, -1 if killed by `signal` */
	int signal;
	double wall_ns; /* from before the fork to its end */
	double cpu_ns; /* of it and what it has waited for */
	char *output, *errors; /* collected: NUL-terminated, any bytes; freed by child_result__free() */
};

/*
 * Runs it to its end. Returns 0, or the error number and stores a reason (to be freed) if it could
 * not be started. When a signal comes to forktax, a child whose output is not collected is sent it,
 * too, and has a second to clear up.
 */
int child__run(const struct child_request *request, struct interrupt *interrupt,
	       struct child_result *result, char **reason);
void child_result__free(struct child_result *result);

/*
 * For tasks that start processes themselves. Kills the group (id of its leader, which is not reaped
 * yet) and reaps what of it is our child.
 */
void child__end_group(pid_t group);
/*
 * From now on orphans among our descendants become our children, not those of init. Children that
 * there are already were started by whoever has executed forktax.
 */
void child__adopt_orphans(void);
/* Kills and reaps all children since then, and those that are adopted meanwhile. */
void child__end_all(void);

#endif
