/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a run asks of a source, which is whoever sees the events and counts them, and what a source
 * may answer. There is one so far, source/ebpf; trace.c asks, and knows none by name.
 *
 * Life order: open; watch_command or watch_pids; consume until nothing lives, or it is enough; stop;
 * finish; close.
 */
#ifndef FORKTAX_SOURCE_SOURCE_H
#define FORKTAX_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "launch/gate.h"
#include "model/run.h"

/* What a run may need beyond the calls and the life of processes. source.c has it in words. */
enum ability {
	ABILITY_COMMAND,       /* a command, from its execve on */
	ABILITY_ATTACH,        /* processes that run already */
	ABILITY_FAULT_TOTALS,  /* the kernel's count of page faults */
	ABILITY_FAULT_CLASSES, /* each fault by class and actor */
	ABILITY_CALL_TIMES,    /* durations of system calls */
	ABILITY_ALL_PROCESSES, /* every process by itself, not only the first of a group */
	ABILITY_ANATOMY,       /* single faults and forks */
	ABILITY_COUNT
};

struct source_request {
	uint32_t abilities; /* those that the run needs: bits 1u << ABILITY_... */
	const int32_t *pids; /* processes that run already; none: a command at the gate */
	size_t pid_count;
};

static inline bool source_request__has(const struct source_request *request, enum ability ability)
{
	return request->abilities & 1u << ability;
}

enum capability_state { CAPABILITY_THERE, CAPABILITY_MISSING, CAPABILITY_UNTRIED };

/*
 * Something that a source uses of kernel, privileges or machine: tried, rather than guessed from a
 * version number.
 */
struct capability {
	const char *name;
	bool needed; /* nothing can be traced without it */
	/* On anything but CAPABILITY_THERE may say why in `why`. NULL: everything, on a command. */
	enum capability_state (*try)(const void *subject, char *why, size_t size);
	const void *subject; /* what `try` tries; NULL where there is but one thing to try */
	const char *cost; /* what is lost without it */
	const char *remedy; /* how to get it */
};

struct tracing; /* each source has its own */

struct source {
	const char *name; /* run.source */

	/*
	 * Why it can never tell this, as the end of a sentence ("a log of strace has no page faults").
	 * NULL: it can. What only this kernel or these privileges refuse, open() reports.
	 */
	const char *(*cannot)(enum ability ability);
	/* The privileges that this process lacks to use it, by name (static). NULL: none. */
	const char *(*missing_privileges)(void);
	/* What it uses, in the order in which it is to be tried. */
	const struct capability *(*capabilities)(size_t *count);

	/*
	 * Prepares to trace; nothing is counted yet. What cannot be known after all becomes a note of
	 * the run. NULL: a message, to be freed, of what failed, why and what to do next. Request and
	 * run outlive what is returned.
	 */
	struct tracing *(*open)(const struct source_request *request, struct run *run,
				char **message);
	void (*close)(struct tracing *tracing);

	/* Counts the command from the execve on that it makes when the gate opens. 0 or -errno. */
	int (*watch_command)(struct tracing *tracing, const struct gate *gate);
	/*
	 * Counts all threads of the processes of the request. 0 or -errno. Those that have ended
	 * meanwhile are no error: live() tells.
	 */
	int (*watch_pids)(struct tracing *tracing);

	/* Readable when there is something to consume; not every end of a process is announced. */
	int (*event_fd)(const struct tracing *tracing);
	void (*consume)(struct tracing *tracing);
	/* Processes that have not ended yet. */
	uint64_t (*live)(const struct tracing *tracing);

	/* Stops counting, and takes in what still runs. */
	void (*stop)(struct tracing *tracing);
	/* Moves everything counted into the run. After stop(). */
	void (*finish)(struct tracing *tracing);
};

/* Can it tell all this? Returns 0, or -1 and a message, to be freed, of what it cannot and why. */
int source__check(const struct source *source, const struct source_request *request,
		  char **message);

/* Tries a capability of a source. On anything but CAPABILITY_THERE `why` may say why. */
enum capability_state source__try(const struct source *source, const struct capability *capability,
				  char *why, size_t size);

/* What forktax is built with, the best first; ends with NULL. Defined in sources.c. */
extern const struct source *const sources[];

#endif
