/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program that runs in a process group of its own, its output collected, none of whose processes
 * is left when it has been waited for: also not after Ctrl-C, a crash, or the death of forktax.
 */
#ifndef FORKTAX_LAUNCH_CHILD_H
#define FORKTAX_LAUNCH_CHILD_H

#include <sys/types.h>

#include "launch/interrupt.h"

struct child_request {
	const char *path;
	char *const *argv; /* NULL-terminated */
	char *const *environment; /* NULL-terminated; NULL: our own */
};

/* How it ended. stdin is /dev/null; of stdout and stderr the first 64 KiB each are kept. */
struct child_result {
	bool interrupted; /* by a signal to forktax; it has been killed */
	int status; /* exit status, -1 if killed by `signal` */
	int signal;
	double wall_ns; /* from before the fork to its end */
	double cpu_ns; /* of it and what it has waited for */
	char *output, *errors; /* NUL-terminated, any bytes; freed by child_result__free() */
};

/*
 * Runs it to its end. Returns 0, or -1 and stores a reason (to be freed) if it could not be
 * started.
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
