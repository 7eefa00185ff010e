/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The strace that is installed, attached to processes: its log and its messages come through pipes.
 * It is in a process group of its own, so that Ctrl-C does not reach it, and ends with forktax; what
 * it traced then runs on.
 */
#ifndef FORKTAX_SOURCE_STRACE_TRACER_H
#define FORKTAX_SOURCE_STRACE_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tracer {
	pid_t pid; /* 0: not started */
	int log_fd; /* -1: ended */
	int message_fd; /* its stderr; -1: ended */
	int timer_fd; /* says when to look at the log again */
	int epoll_fd; /* readable when one of the three is */
	int status; /* how it ended, once its log has; as of wait(2) */
	char *message; /* what it complained of; NULL: nothing yet; owned */
	char *line; /* of stderr, not complete yet; owned */
	size_t attached; /* so many processes and threads, it says */
};

#define TRACER_CLOSED \
	(struct tracer){ .log_fd = -1, .message_fd = -1, .timer_fd = -1, .epoll_fd = -1 }

/* major * 100 + minor of the installed strace (601 for 6.1); 0 and a reason: there is none. */
unsigned int tracer__version(char **reason);

/*
 * Attaches strace to these processes, with these further arguments (NULL-terminated), and returns
 * once it has. On failure returns -1 and a message (to be freed); call tracer__close() then, too.
 */
int tracer__start(struct tracer *tracer, const char *const *arguments, const int32_t *pids,
		  size_t count, char **message);

/* Passes on what there is of the log, without waiting; false once it has ended. */
typedef void tracer_take_fn(void *context, const char *bytes, size_t size);
bool tracer__read(struct tracer *tracer, tracer_take_fn *take, void *context);

/* Detaches it from all that still runs, and passes on the rest of its log. */
void tracer__stop(struct tracer *tracer, tracer_take_fn *take, void *context);
/* Kills it, if it still runs, and frees all. */
void tracer__close(struct tracer *tracer);

#endif
