/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs a program to its end, in a process group of its own unless it is to use the terminal. No
 * process of that group survives, not even Ctrl-C, a crash, or the death of forktax.
 */
#ifndef FORKTAX_LAUNCH_CHILD_H
#define FORKTAX_LAUNCH_CHILD_H

#include <sys/types.h>

#include "launch/interrupt.h"

enum child_stdio {
	CHILD_COLLECTED, /* stdin is /dev/null; the first 64 KiB each of stdout and stderr are kept */
	CHILD_TO_FILES, /* stdin is /dev/null; stdout and stderr are `files` */
	CHILD_QUIET, /* /dev/null, all three */
	CHILD_SHOWN, /* ours, and so is its process group: it may read from the terminal */
};

struct child_request {
	const char *path;
	char *const *argv; /* NULL-terminated */
	char *const *environment; /* NULL-terminated; NULL: our own */
	enum child_stdio stdio;
	int files[2]; /* our descriptors */
	bool no_aslr;
};

/* How it ended. */
struct child_result {
	bool interrupted; /* by a signal to forktax; it has been killed */
	int status; /* exit status, -1 if killed by `signal` */
	int signal;
	double wall_ns; /* from before the fork to its end */
	double cpu_ns; /* CPU time of it and of the children it waited for */
	char *output, *errors; /* collected: NUL-terminated, any bytes; freed by child_result__free() */
};

/*
 * Runs the program to its end. Returns 0; if it could not be started, returns the error number and
 * stores a reason (to be freed). A signal to forktax is passed on to a child whose output is not
 * collected, which then has a second to clear up.
 */
int child__run(const struct child_request *request, struct interrupt *interrupt,
	       struct child_result *result, char **reason);
void child_result__free(struct child_result *result);

/*
 * For tasks that start processes themselves. Kills the process group of this leader, which must not
 * have been reaped, and reaps those of its members that are our children.
 */
void child__end_group(pid_t group);
void child__reap_group(pid_t group); /* of a group that has been killed */
/*
 * From now on orphaned descendants become our children, not those of init. Children that exist
 * already were started by the program that executed forktax, and are left alone.
 */
void child__adopt_orphans(void);
/* Kills and reaps all children since then, including those adopted meanwhile. */
void child__end_all(void);

#endif
