/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tracing one command, or running processes, into a run.
 */
#ifndef FORKTAX_SOURCE_TRACE_H
#define FORKTAX_SOURCE_TRACE_H

#include <signal.h>
#include <sys/types.h>

#include "model/workers/flow_log.h"
#include "model/run/run.h"

/* How much of page faults is asked for. */
enum fault_level {
	FAULTS_TOTALS,
	FAULTS_CLASSES,
	FAULTS_SEEN, /* whatever the source sees of them */
};

struct trace_request {
	/* Either a command ... */
	char **argv; /* NULL-terminated; argv[0] as typed */
	bool no_aslr; /* personality(ADDR_NO_RANDOMIZE) for the command */
	bool own_command; /* a program of ours: the first signal kills it, and ends the tracing */
	bool clean; /* no signal is ignored or blocked in it, and nothing open but its standard streams */
	bool quiet_command; /* its stdin, stdout and stderr are /dev/null */
	char **environment; /* NULL-terminated; NULL: our own */
	const sigset_t *mask; /* signals blocked in it; NULL: as in ourselves */
	const char *user; /* run it as this user, NULL: as ourselves */
	/* ... or processes that run already. */
	const int32_t *pids;
	size_t pid_count;
	char *const *cgroups; /* ... or those in cgroups, or below: paths, or patterns (source/cgroups.h) */
	size_t cgroup_count;
	bool whole_machine; /* ... or all, in our pid namespace and those below; not forktax itself */
	bool pids_are_one_pool; /* only the first one must still exist; `more_pids` finds the others */
	int32_t *(*more_pids)(size_t *count, void *context); /* as in struct source_request; may be NULL */
	void *more_context;
	/* Called once all their threads are counted, if any still lives. May be NULL. */
	void (*on_ready)(const struct trace_request *request, void *context);
	/* Called with a pattern of `cgroups` that matches nothing yet. May be NULL. */
	void (*on_unmatched)(const char *pattern, void *context);
	void *ready_context; /* of these two */

	unsigned int source; /* index into source_words; 0: the best one that may be used */
	enum fault_level fault_level;
	bool timed;
	bool anatomy; /* record single faults and forks, too: run->anatomy */
	bool stacks; /* with call stacks of these faults: run->anatomy->stacks */
	bool files; /* run->files */
	bool waits; /* with files: what calls sleep for, too */
	bool (*find_shell)(const char *path, struct shell_value *found); /* run->lines, by these; NULL: not asked for */
	bool lines_if_seen; /* only if the source sees them */
	bool tree; /* run->tree_times; of a command, with faults by class */
	bool path; /* with tree: run->critical_path, if the source sees it */
	bool start; /* record the command's first image call by call, too: run->start */
	bool calls_later; /* later runs may ask for files, waits, the start */
	/* Called with the command's pid while it waits for its execve and is already traced. May be NULL. */
	void (*on_gate)(pid_t pid, void *context);
	void *gate_context;
	struct flow_log *flow; /* to be filled with the flow of pools; empty; NULL: not asked for */
	/*
	 * Called when it counts, about ten times a second while it does, and once more (`last`) before it stops;
	 * attached, so early that it has about ended with the duration if it takes no longer than the first one. May be
	 * NULL.
	 */
	void (*on_tick)(bool last, void *context);
	void *tick_context;
	/*
	 * Called when counting has stopped, for work that takes time and is not part of the run.
	 * May be NULL.
	 */
	void (*on_stopped)(void *context);
	void *stopped_context;
	bool all_processes;
	uint64_t patience_ns; /* with the command, after the first signal; 0: no limit */
	uint64_t duration_ns; /* stop after that long, 0: no limit; the command is left running */
	uint64_t linger_ns; /* wait for descendants after its end; UINT64_MAX: for ever */
};

/* Are there processes to attach to, instead of a command? */
static inline bool trace_request__attaches(const struct trace_request *request)
{
	return request->pid_count || request->cgroup_count || request->whole_machine;
}

enum trace_result {
	TRACE_OK,
	TRACE_COMMAND_MISSING, /* 127 */
	TRACE_COMMAND_REFUSED, /* 126: found, but could not be executed */
	TRACE_FAILED, /* 125 */
};

/*
 * Traces until the command has ended (or, attached, until a signal, the duration or the end of all
 * processes). On TRACE_OK stores the run, to be freed with run__free(); otherwise a message (to be
 * freed): what failed, why, and what to do next. Nothing stays attached either way. Meanwhile
 * SIGINT and SIGTERM are handled: the first is passed on to the command (unless the terminal has
 * sent it there), the second ends the tracing and leaves the command alone.
 */
enum trace_result trace__run(const struct trace_request *request, struct run **run, char **message);

struct source;
/* The same with a source of the caller's choice. */
enum trace_result trace__by(const struct source *source, const struct trace_request *request,
			    struct run **run, char **message);
/* Stores besides whether it failed because the source cannot be used here; nothing has run then. */
enum trace_result trace__try(const struct source *source, const struct trace_request *request,
			     struct run **run, char **message, bool *is_unusable);

/* Can the source do what is asked? 0, or -1 and a message (to be freed): what it cannot, and why. */
int trace__check(const struct source *source, const struct trace_request *request, char **message);

/*
 * Whether these processes can be attached to (targets.c). Returns 0, or -1 and a message (to be
 * freed) that says which one cannot and why: gone, a zombie, a kernel thread, a thread of another
 * process, forktax itself, or somebody else's.
 */
int targets__check(const int32_t *pids, size_t count, char **message);

/*
 * The privileges that this process lacks for trace__run() of such a request, by name (static). NULL:
 * none, or there is a source that does without.
 */
const char *trace__missing_privileges(const struct trace_request *request);

#endif
