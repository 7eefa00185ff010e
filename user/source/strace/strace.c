// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/strace.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/procfs.h"
#include "base/text.h"
#include "launch/gate.h"
#include "source/calls/call_stream.h"
#include "source/strace/strace_log.h"
#include "source/strace/tracer.h"

/* From here on it knows --syscall-times=ns. */
enum { VERSION_NS = 506 };

struct fault_counts {
	uint64_t minor, major;
};

struct tracing {
	const struct source_request *request;
	struct run *run;
	unsigned int version;
	struct tracer tracer;
	struct strace_log *log;
	char *before; /* of the log, until the command's execve begins; owned */
	bool skipping; /* as long as it has not */
	bool has_start, has_faults;
	struct fault_counts start, faults;
};

static bool asks(const struct tracing *tracing, enum ability ability)
{
	return source_request__has(tracing->request, ability);
}

/* strace has to decode paths for these. */
static bool needs_paths(const struct tracing *tracing)
{
	return asks(tracing, ABILITY_FILES);
}

static const char *cannot(enum ability ability)
{
	switch (ability) {
	case ABILITY_FAULT_TOTALS:
		return "strace sees no page faults, and the kernel counts only those of the command "
		       "and all its children together";
	case ABILITY_FAULT_CLASSES:
	case ABILITY_ANATOMY:
	case ABILITY_STACKS:
	case ABILITY_FLOW:
		return "strace sees no page faults";
	case ABILITY_CGROUPS:
	case ABILITY_UNITS:
		return "strace attaches to processes by their pids";
	case ABILITY_LINES:
		return "strace does not read what a shell executes";
	case ABILITY_TREE:
		return "strace does not see when a process runs";
	case ABILITY_PATH:
	case ABILITY_WAITS:
		return "strace does not see who wakes a process";
	case ABILITY_START:
		return "strace does not record which code made a call";
	default:
		return NULL;
	}
}

static const char *missing_privileges(void)
{
	return NULL;
}

static struct tracing *open_tracing(const struct source_request *request, struct run *run, char **message)
{
	struct tracing *tracing;
	char *reason = NULL;
	unsigned int version = tracer__version(&reason);

	if (!version) {
		*message = text__of("%s: install it (apt install strace), or use eBPF as root", reason);
		free(reason);
		return NULL;
	}
	tracing = checked_calloc(1, sizeof(*tracing));
	tracing->request = request;
	tracing->run = run;
	tracing->version = version;
	tracing->tracer = TRACER_CLOSED;
	tracing->log = strace_log__new(run, source_request__has(request, ABILITY_FILES) ? CALLS_FOR_FILES : 0);
	strace_log__is_here(tracing->log);
	return tracing;
}

static void close_tracing(struct tracing *tracing)
{
	tracer__close(&tracing->tracer);
	strace_log__free(tracing->log);
	free(tracing->before);
	free(tracing);
}

/*
 * Only these calls need more than their numbers. What strace decodes it reads from the process's
 * memory, and a page that is not there yet is then strace's page fault, not the process's: so the
 * rest is left as it is, unless paths are asked for.
 */
#define DECODED "execve,execveat,clone,clone3,fork,vfork"

static int start_tracer(struct tracing *tracing, const int32_t *pids, size_t count, char **message)
{
	static const char log[] = "/proc/self/fd/1"; /* what /dev/fd is a link to; that may be missing in a bare /dev */
	const char *arguments[16] = { "-f", "-o", log, "-ttt" };
	size_t used = 4;

	if (!procfs__is_there()) {
		error__set(message, "strace writes its log to %s, but /proc is not mounted", log);
		return -ENOENT;
	}
	if (!needs_paths(tracing)) {
		arguments[used++] = "-e";
		arguments[used++] = "raw=!" DECODED;
	}
	/* What was open before it attached, only the lines can say. */
	if (needs_paths(tracing) && tracing->request->pid_count)
		arguments[used++] = "-y";
	if (asks(tracing, ABILITY_CALL_TIMES))
		arguments[used++] = tracing->version < VERSION_NS ? "-T" : "--syscall-times=ns";
	if (!tracer__start(&tracing->tracer, arguments, pids, count, message))
		return 0;
	text__replace(message, "%s; %s", *message, strace_capabilities__remedy());
	return -EPERM;
}

/* What the kernel has counted for a process, and for its children that it has waited for. */
static bool read_faults(pid_t pid, struct fault_counts *faults)
{
	unsigned long long own, of_children, major, major_of_children;
	char text[1024], *rest = procfs__stat(pid, text, sizeof(text));

	if (!rest || sscanf(rest, " %*c %*d %*d %*d %*d %*d %*u %llu %llu %llu %llu", &own,
			   &of_children, &major, &major_of_children) != 4)
		return false;
	*faults = (struct fault_counts){ own + of_children, major + major_of_children };
	return true;
}

static int trace_command(struct tracing *tracing, const struct gate *gate, char **message)
{
	const int32_t pid = gate->pid;
	int err = start_tracer(tracing, &pid, 1, message);

	tracing->skipping = true;
	strace_log__look_at(tracing->log, pid);
	/* The command waits at the gate: until its execve it only returns from a read. */
	tracing->has_start = !err && read_faults(pid, &tracing->start);
	return err;
}

static int trace_pids(struct tracing *tracing, char **message)
{
	return start_tracer(tracing, tracing->request->pids, tracing->request->pid_count, message);
}

static int event_fd(const struct tracing *tracing)
{
	return tracing->tracer.epoll_fd;
}

/* The line in which the command's execve stands; NULL: not there yet. */
static const char *find_execve(const char *text)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *call, *end;

		line += *line == '\n';
		call = strstr(line, " execve(");
		end = strchr(line, '\n');
		if (call && (!end || call < end))
			return line;
	}
	return NULL;
}

/* The lines before it are calls at the gate, which were still forktax's own. */
static void take_first(struct tracing *tracing, const char *bytes, size_t size)
{
	const char *line;

	text__replace(&tracing->before, "%s%.*s", tracing->before ? tracing->before : "", (int)size, bytes);
	line = find_execve(tracing->before);
	if (!line)
		return;
	tracing->skipping = false;
	strace_log__feed(tracing->log, line, strlen(line));
}

static void take_log(void *context, const char *bytes, size_t size)
{
	struct tracing *tracing = context;

	if (tracing->skipping)
		take_first(tracing, bytes, size);
	else
		strace_log__feed(tracing->log, bytes, size);
}

static void consume(struct tracing *tracing)
{
	tracer__read(&tracing->tracer, take_log, tracing);
}

/* strace ends with the last process that it traces, which may take some time. */
static uint64_t live(const struct tracing *tracing)
{
	uint64_t known = strace_log__live(tracing->log);

	if (tracing->tracer.log_fd < 0)
		return 0;
	return known ? known : 1;
}

static void command_ended(struct tracing *tracing, const struct rusage *usage)
{
	tracing->has_faults = tracing->has_start;
	tracing->faults.minor = (uint64_t)usage->ru_minflt - tracing->start.minor;
	tracing->faults.major = (uint64_t)usage->ru_majflt - tracing->start.major;
}

static void stop(struct tracing *tracing)
{
	bool ended = tracing->tracer.log_fd < 0;
	uint64_t left = strace_log__live(tracing->log);

	tracer__stop(&tracing->tracer, take_log, tracing);
	if (ended && left)
		run__doubt(tracing->run, "strace ended before the processes that it traced%s%s: the rest "
			   "was not counted", WIFSIGNALED(tracing->tracer.status) ? ", by signal " : "",
			   WIFSIGNALED(tracing->tracer.status)
				   ? sigabbrev_np(WTERMSIG(tracing->tracer.status)) : "");
	if (tracing->tracer.message)
		run__note(tracing->run, "strace says: %s", tracing->tracer.message);
}

static void note_faults(const struct tracing *tracing)
{
	static const enum run_data unseen[] = { HAS_PROCESS_FAULTS, HAS_FAULT_CLASSES, HAS_ACTORS, HAS_DENIED };
	struct run *run = tracing->run;

	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++)
		run->origins[unseen[i]] = ORIGIN_NOT_SUPPORTED;
	if (!tracing->has_faults) {
		run->origins[HAS_FAULTS] = asks(tracing, ABILITY_COMMAND) ? ORIGIN_NOT_COUNTED : ORIGIN_NOT_SUPPORTED;
		return;
	}
	run->origins[HAS_FAULTS] = ORIGIN_COUNTED;
	if (needs_paths(tracing))
		run__note(run, "page faults are a lower limit: when strace reads a path, a fault may "
			       "be counted for strace instead of the command");
	run->faults.total = tracing->faults.minor + tracing->faults.major;
	run->faults.major = tracing->faults.major;
}

static uint64_t failed_calls(const struct run *run, const char *name)
{
	const struct syscall_row *row = syscall_table__find(&run->table, name, ABI_NATIVE);

	return row ? syscall_row__sum(row->errors) : 0;
}

/* What went otherwise than without strace. */
static void note_disturbance(struct run *run)
{
	if (failed_calls(run, "ptrace"))
		run__note(run, "ptrace failed: a process that strace traces cannot be traced by "
			       "another program (a debugger, another strace)");
	for (size_t i = 0; i < run->exe_count && geteuid(); i++) {
		const char *path = exe__file(&run->exes[i]);
		struct stat status;

		if (path && !stat(path, &status) && status.st_mode & (S_ISUID | S_ISGID))
			run__note(run, "%s is set-user-ID or set-group-ID, and ran without these "
				       "privileges: a process traced by an ordinary user does not "
				       "get them", path);
	}
}

static void finish(struct tracing *tracing)
{
	struct run *run = tracing->run;
	uint64_t wall_ns = run->wall_ns, started = run->started;

	strace_log__finish(tracing->log);
	run->wall_ns = wall_ns; /* from before the execve to the end that we saw */
	run->started = started;
	note_faults(tracing);
	note_disturbance(run);
}

const struct source source_strace = {
	.name = "strace",
	.title = "strace",
	.cost = "no page faults by class or process, and every system call takes longer",
	.by_ptrace = true,
	.cannot = cannot,
	.missing_privileges = missing_privileges,
	.capabilities = strace_capabilities__list,
	.open = open_tracing,
	.close = close_tracing,
	.trace_command = trace_command,
	.trace_pids = trace_pids,
	.event_fd = event_fd,
	.consume = consume,
	.live = live,
	.command_ended = command_ended,
	.stop = stop,
	.finish = finish,
};
