/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What calls sleep for: single calls that took long enough to have slept. Of a run that asks for them
 * (run->files->waits); not saved.
 */
#ifndef FORKTAX_MODEL_FILES_WAITS_H
#define FORKTAX_MODEL_FILES_WAITS_H

#include <stdbool.h>
#include <stdint.h>

enum wait_for {
	WAIT_TIMER,
	WAIT_LOOKING, /* a timer, of a process that looks in between whether a child has ended (WNOHANG) */
	WAIT_REAP, /* from the last such look to the one that reaped the child; no call */
	WAIT_SOCKET, /* who is at its other end */
	WAIT_LOCK, /* of a file */
	WAIT_INPUT, /* a pipe, a terminal */
};

enum { WAIT_OBJECT = 112 };

struct wait {
	uint64_t process; /* its id in the run */
	int32_t tid;
	enum wait_for what;
	const char *call; /* its name, static */
	char object[WAIT_OBJECT]; /* "127.0.0.1:53", a path, "pipe:"; "" not known */
	int32_t child; /* WAIT_REAP: its pid, as its parent sees it */
	bool timed_out; /* WAIT_SOCKET: it ended by its timeout */
	uint64_t begin_ns, end_ns; /* since the start of the run */
};

/* A system call that may sleep. Arguments are numbered from 1; 0: it has none. */
struct waiting_call {
	const char *name;
	uint8_t descriptor;
	/* Points to a struct sockaddr, or to the list of poll. The next argument is its size, or its length. */
	uint8_t memory;
	bool lists; /* it is the list of poll */
	bool on_timer; /* it always waits for nothing but time */
	uint8_t count; /* 0 of these descriptors: it waits for nothing but time */
};

/* NULL: it is none. `name` as in struct syscall_row. */
const struct waiting_call *waiting_call__find(const char *name);

#endif
