/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A source sees the events of a run and counts them. This is what a run asks of it, and what it may
 * answer. source/ebpf and source/strace are such; trace.c asks, and knows no source by name.
 *
 * Order of calls: open; trace_command or trace_pids; consume until nothing lives, or the run has
 * enough; stop; finish; close.
 */
#ifndef FORKTAX_SOURCE_SOURCE_H
#define FORKTAX_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "base/capability_row.h"
#include "model/run/run.h"
#include "model/workers/flow_log.h"

struct gate;
struct unit_reading;
struct unit_value;
struct unit_child_key;

/* What a run may need beyond the calls and the life of processes. */
enum ability {
#define ABILITY(name, words, needed) ABILITY_##name,
#include "source/abilities.def"
#undef ABILITY
	ABILITY_COUNT
};

/* Single calls of a kind; those of all these kinds are recorded by the same code. */
#define SINGLE_CALLS (1u << ABILITY_FILES | 1u << ABILITY_WAITS | 1u << ABILITY_START)

struct cgroups;

struct source_request {
	uint32_t abilities; /* those that the run needs: bits 1u << ABILITY_... */
	uint32_t later; /* those that later runs may need besides: what they take may be loaded at once */
	const int32_t *pids; /* running processes; NULL: a command at the gate */
	size_t pid_count;
	struct cgroups
		*cgroups; /* whose processes to count, those of today and those that will be in them; more are found */
	bool whole_machine; /* all processes */
	/*
	 * Once these are counted: an array (to be freed) of others that were born before their makers
	 * were, and how many; also of those that are counted already. NULL: there are none.
	 */
	int32_t *(*more_pids)(size_t *count, void *context);
	void *more_context;
	struct flow_log *flow; /* to be filled if ABILITY_FLOW is asked for */
	const char *command; /* as typed; NULL: there is none */
	/* Where the shell at `path` keeps the line that it executes; false: it is none. Of ABILITY_LINES. */
	bool (*find_shell)(const char *path, struct shell_value *found);
};

/* Does it go on where no process is left: more may come? */
static inline bool source_request__awaits(const struct source_request *request)
{
	return request->abilities & 1u << ABILITY_CGROUPS;
}

static inline bool source_request__has(const struct source_request *request, enum ability ability)
{
	return request->abilities & 1u << ability;
}

struct tracing; /* each source has its own */

struct source {
	const char *name; /* run.source */
	const char *title; /* for people */
	const char *cost; /* what is lost by it instead of the best, and what it costs; NULL: nothing */
	bool by_ptrace; /* the command has to allow it */

	/*
	 * Why it can never know this, as the end of a sentence ("a log of strace has no page
	 * faults"). NULL: it can. open() reports what only this kernel or these privileges refuse.
	 */
	const char *(*cannot)(enum ability ability);
	/* The library that it stands on, with its version (static). NULL: none. */
	const char *(*library)(void);
	/* The privileges that this process lacks to use it, by name (static). NULL: none. */
	const char *(*missing_privileges)(void);
	/* The capabilities that it uses, in the order in which to try them. */
	const struct capability *(*capabilities)(size_t *count);

	/*
	 * Prepares to trace; counts nothing yet. What turns out to be unknowable becomes a note of
	 * the run. On failure returns NULL and a message (to be freed): what failed, why, and what
	 * to do next; errno says whether descriptors or memory were short. Request and run must
	 * outlive the result.
	 */
	struct tracing *(*open)(const struct source_request *request, struct run *run, char **message);
	void (*close)(struct tracing *tracing);

	/*
	 * Counts the command from the execve that it makes when the gate opens. 0 or -errno, perhaps
	 * with a message (to be freed), as open() gives it.
	 */
	int (*trace_command)(struct tracing *tracing, const struct gate *gate, char **message);
	/*
	 * Counts all threads of the requested processes, or cgroups. 0 or -errno, as above. A process that has
	 * ended meanwhile is no error: live() leaves it out.
	 */
	int (*trace_pids)(struct tracing *tracing, char **message);

	/* Readable when there is something to consume; not every end of a process is announced. */
	int (*event_fd)(const struct tracing *tracing);
	void (*consume)(struct tracing *tracing);
	/* Processes that have not ended yet. */
	uint64_t (*live)(const struct tracing *tracing);

	/*
	 * The command has ended, and used this: with all descendants that were waited for. NULL: it
	 * is not interested.
	 */
	void (*command_ended)(struct tracing *tracing, const struct rusage *usage);

	/* Stops counting, and takes in what still runs. */
	void (*stop)(struct tracing *tracing);
	/*
	 * What units have counted until now (ABILITY_UNITS), or until counting has stopped; to be freed by
	 * unit_reading__release(). 0 or -errno. NULL: it cannot.
	 */
	int (*read_units)(struct tracing *tracing, struct unit_reading *reading);
	/* Takes away the last counts of a cgroup that is gone, or of a kind of children. False: there are none. */
	bool (*take_unit)(struct tracing *tracing, uint64_t cgroup, struct unit_value *value);
	bool (*take_kind)(struct tracing *tracing, const struct unit_child_key *key, uint64_t *children);
	/* From now on no unit counts what forktax starts: it measures what counting costs. TRIAL_NONE ends that. */
	void (*set_trial)(struct tracing *tracing, enum unit_trial trial);
	/* The path that a cgroup was created with while it counts; false: it is not known, or too long. */
	bool (*unit_path)(struct tracing *tracing, uint64_t cgroup, char *path, size_t size);

	/* Moves everything counted into the run. After stop(). */
	void (*finish)(struct tracing *tracing);
};

/*
 * Can it provide all this? Returns 0, or -1 and a message (to be freed): what it cannot, and why.
 */
int source__check(const struct source *source, const struct source_request *request, char **message);

/* Tries a capability of a source. Unless it is there, `why` may get a reason. */
enum capability_state source__try(const struct source *source, const struct capability *capability,
				  char *why, size_t size);

/* What forktax is built with, the best first; ends with NULL. Defined in sources.c. */
extern const struct source *const sources[];
/* Words for the choice of one: "auto", then the names in that order; ends with NULL. */
extern const char *const source_words[];

#endif
