// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/options/sets.h"
#include "cmd/commands.h"
#include "cmd/options/types.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/procfs.h"
#include "base/text.h"
#include "launch/gate.h"

enum { PIDS_SHOWN = 8 };

static bool add_pid(struct attach_options *options, const char *text)
{
	uint64_t pid;

	if (!number__whole(text, 1, INT32_MAX, &pid))
		return false;
	options->pids = checked_grow(options->pids, options->pid_count, sizeof(*options->pids));
	options->pids[options->pid_count++] = pid;
	return true;
}

/* One or several with blanks between, as pidof and pgrep print them. */
static bool add_pids(void *field, char *text)
{
	char *rest, *pid = strtok_r(text, " \t\n", &rest);
	bool good = pid;

	for (; good && pid; pid = strtok_r(NULL, " \t\n", &rest))
		good = add_pid(field, pid);
	return good;
}

static int take_pids(const struct option_row *row, void *field, const char *argument, char **reason)
{
	char *list = checked_strdup(argument), *rest = list, *text;
	bool good = true;

	while (good && (text = strsep(&rest, ",")))
		good = add_pids(field, text);
	free(list);
	if (good)
		return 0;
	return error__set(reason, *argument ? "must be a process id, or several with commas or blanks between"
					    : "is empty: did pidof or pgrep find no process?");
}

/* A descriptor open for writing; not stdin. */
static int take_ready_fd(const struct option_row *row, void *field, const char *argument, char **reason)
{
	uint64_t number;
	int flags = -1;

	if (number__whole(argument, 1, INT32_MAX, &number))
		flags = fcntl((int)number, F_GETFL);
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return error__set(reason, "must be the number of a descriptor that is open for writing");
	*(int *)field = (int)number;
	return 0;
}

static int take_cgroups(const struct option_row *row, void *field, const char *argument, char **reason)
{
	struct attach_options *options = field;
	char *list = checked_strdup(argument), *rest = list, *path;

	while ((path = strsep(&rest, ","))) {
		options->cgroups = checked_grow(options->cgroups, options->cgroup_count, sizeof(*options->cgroups));
		options->cgroups[options->cgroup_count++] = checked_strdup(path);
	}
	free(list);
	return *argument ? 0 : error__set(reason, "must be the path of a cgroup");
}

static const struct option_type option_cgroups = { .completes = "directory", .take = take_cgroups };
static const struct option_type option_pids = { .completes = "pids", .take = take_pids };
const struct option_type option_descriptor = {
	.completes = "descriptor", .take = take_ready_fd,
};

const struct option_row attach_rows[] = {
	/* The value goes to several fields, so the row has no field of its own. */
	OPTION('p', "attach", "PID[,PID]...", &option_pids, { 0 },
	       "trace running processes with all their threads, until Ctrl-C or SIGTERM",
	       .commands = FOR_RUN, .one_of = "subject"),
	OPTION(0, "cgroup", "PATH[,PATH]...", &option_cgroups, { 0 },
	       "trace the processes in a cgroup, and those that enter it, until Ctrl-C or SIGTERM",
	       .commands = FOR_RUN, .one_of = "subject"),
	OPTION('a', "system-wide", NULL, &option_flag, FIELD(struct attach_options, whole_machine),
	       "trace all processes of the machine, until Ctrl-C or SIGTERM",
	       .commands = FOR_RUN, .one_of = "subject"),
	OPTION('p', "attach", "PID[,PID]...", &option_pids, { 0 },
	       "explain running processes, until Ctrl-C or SIGTERM; no advice is tried",
	       .commands = FOR_EXPLAIN, .one_of = "subject"),
	OPTION(0, "cgroup", "PATH[,PATH]...", &option_cgroups, { 0 },
	       "explain the processes in a cgroup, and those that enter it; no advice is tried",
	       .commands = FOR_EXPLAIN, .one_of = "subject"),
	OPTION('a', "system-wide", NULL, &option_flag, FIELD(struct attach_options, whole_machine),
	       "explain all processes of the machine; no advice is tried",
	       .commands = FOR_EXPLAIN, .one_of = "subject"),
	OPTION(0, "descendants", NULL, &option_flag, FIELD(struct attach_options, descendants),
	       "trace their running descendants, too (with -p)", .commands = FOR_RUN | FOR_EXPLAIN, .needs = "attach"),
	OPTION('a', "system-wide", NULL, &option_flag, FIELD(struct attach_options, whole_machine),
	       "watch all processes of the machine (the default)", .commands = FOR_WATCH, .one_of = "subject"),
	OPTION(0, "cgroup", "PATH[,PATH]...", &option_cgroups, { 0 },
	       "watch the processes in a cgroup, and those that enter it", .commands = FOR_WATCH,
	       .one_of = "subject"),
	OPTION(0, "ready-fd", "N", &option_descriptor, FIELD(struct attach_options, ready_fd),
	       "write \"ready\" to file descriptor N once counting has started", .commands = FOR_WATCH),
	OPTION(0, "duration", "TIME", &option_time, FIELD(struct attach_options, duration_ns),
	       "stop after this time", .commands = FOR_WATCH, .most = 1e9),
	OPTION(0, "ready-fd", "N", &option_descriptor, FIELD(struct attach_options, ready_fd),
	       "write \"ready\" to file descriptor N once counting has started (with -p, --cgroup or -a)",
	       .commands = FOR_RUN | FOR_EXPLAIN),
	OPTION(0, "duration", "TIME", &option_time, FIELD(struct attach_options, duration_ns),
	       "stop counting after this time; the command keeps running",
	       .commands = FOR_RUN, .most = 1e9),
	OPTION(0, "duration", "TIME", &option_time, FIELD(struct attach_options, duration_ns),
	       "stop after this time (with -p, --cgroup or -a)", .commands = FOR_EXPLAIN, .most = 1e9),
	{ 0 },
};

static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* A shell without job control ignores SIGINT for what it starts in the background. */
static void say(const char *name, const struct trace_request *request)
{
	size_t count = request->pid_count;

	if (request->whole_machine)
		fprintf(stderr, "forktax %s: counting all processes", name);
	else if (request->cgroup_count)
		fprintf(stderr, "forktax %s: counting the processes in %s", name,
			request->cgroup_count == 1 ? request->cgroups[0] : "several cgroups");
	else if (count > PIDS_SHOWN)
		fprintf(stderr, "forktax %s: counting %zu processes", name, count);
	else
		fprintf(stderr, "forktax %s: counting process%s", name, number__plural(count, "", "es"));
	for (size_t i = 0; count <= PIDS_SHOWN && i < count; i++)
		fprintf(stderr, " %" PRId32, request->pids[i]);
	if (!request->duration_ns)
		fprintf(stderr, " until %s", is_ignored(SIGINT) ? "SIGTERM (SIGINT is ignored here)" : "Ctrl-C");
	fputc('\n', stderr);
}

/* The reader may be gone, which is no reason to die of SIGPIPE. */
static void write_ready(int fd)
{
	struct sigaction before, ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &ignore, &before);
	if (write(fd, "ready\n", 6) < 0 && errno != EPIPE)
		perror("forktax: cannot write to the descriptor of --ready-fd");
	sigaction(SIGPIPE, &before, NULL);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* For trace_request.on_ready. */
static void give_notice(const struct trace_request *request, void *context)
{
	const struct attach_options *options = context;

	if (options->notice)
		say(options->notice, request);
	if (options->ready_fd)
		write_ready(options->ready_fd);
}

/* For trace_request.on_unmatched. It may be meant so, or be a mistake. */
static void give_warning(const char *pattern, void *context)
{
	const struct attach_options *options = context;

	if (options->notice)
		print_error(options->notice, 0,
			    "no cgroup matches %s yet: those that will are counted from their creation on", pattern);
}

int attach_options__refuse_pid(const char *name, char *const *operands)
{
	uint64_t pid;
	autofree char *program = NULL;

	if (!*operands || operands[1] || !number__whole(*operands, 1, INT32_MAX, &pid))
		return 0;
	program = gate__find(*operands);
	if (program)
		return 0;
	return print_error(name, EXIT_USAGE, "there is no command \"%s\"; did you mean the process, -p %s?", *operands,
			   *operands);
}

int attach_options__check(const struct attach_options *options, const char *name, char *const *operands)
{
	const bool attaches = options->pid_count || options->cgroup_count || options->whole_machine;
	const char *by = options->cgroup_count ? "--cgroup" : options->whole_machine ? "-a" : "-p";

	if (attaches && *operands)
		return print_error(name, EXIT_USAGE, "give a command or %s, not both", by);
	if (!attaches && !*operands)
		return print_error(name, EXIT_USAGE, "give a command, or a process with -p");
	if (!attaches && options->duration_ns && !strcmp(name, "explain"))
		return print_error(name, EXIT_USAGE, "--duration needs -p, --cgroup or -a");
	if (!attaches && options->ready_fd)
		return print_error(name, EXIT_USAGE, "--ready-fd needs -p, --cgroup or -a");
	return attaches ? 0 : attach_options__refuse_pid(name, operands);
}

/* For trace_request.more_pids. */
static int32_t *find_descendants(size_t *count, void *context)
{
	const struct attach_options *options = context;
	int32_t *pids = process_tree__below(options->pids, options->pid_count, count);

	for (size_t i = 0; i < *count; i++)
		if (pids[i] == getpid()) /* forktax does not trace itself */
			pids[i--] = pids[--*count];
	return pids;
}

void attach_options__apply(struct attach_options *options, struct trace_request *request)
{
	request->pids = options->pids;
	request->pid_count = options->pid_count;
	request->cgroups = options->cgroups;
	request->cgroup_count = options->cgroup_count;
	request->whole_machine = options->whole_machine;
	request->duration_ns = options->duration_ns;
	if (options->descendants) {
		request->more_pids = find_descendants;
		request->more_context = options;
	}
	request->on_ready = give_notice;
	request->on_unmatched = give_warning;
	request->ready_context = options;
}

void attach_options__free(struct attach_options *options)
{
	free(options->pids);
	for (size_t i = 0; i < options->cgroup_count; i++)
		free(options->cgroups[i]);
	free(options->cgroups);
}
