// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax workers: which memory the processes of a pool still share, and which not. */
#include <stdlib.h>

#include "advice/workers/workers_advice.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "cmd/workers_watch.h"
#include "pool/pool.h"
#include "pool/pool_below.h"

struct workers_settings {
	int32_t pid; /* 0: not given */
	uint64_t duration_ns; /* of the watch; 0: none */
	int ready_fd;
	bool stacks; /* of the watch */
	struct report_options display;
};

static int take_pid(const struct option_row *row, void *field, const char *argument, char **reason)
{
	uint64_t pid;

	if (!number__whole(argument, 1, INT32_MAX, &pid))
		return error__set(reason, "must be a process id");
	*(int32_t *)field = pid;
	return 0;
}

static const struct option_type option_pid = { .completes = "pid", .take = take_pid };

static const struct option_row workers_rows[] = {
	OPTION('p', "attach", "PID", &option_pid, FIELD(struct workers_settings, pid),
	       "read the pool that this process belongs to, as master or worker"),
	OPTION(0, "duration", "TIME", &option_time, FIELD(struct workers_settings, duration_ns),
	       "watch for this long which pages stop being shared and which code writes them",
	       .least = 0.1, .most = 1e9, .one_of = "watch"),
	OPTION('k', "stack-trace", NULL, &option_flag, FIELD(struct workers_settings, stacks),
	       "record call stacks of the writes, by frame pointers (with --duration or a command)"),
	OPTION(0, "ready-fd", "N", &option_descriptor, FIELD(struct workers_settings, ready_fd),
	       "write \"ready\" to file descriptor N once the watch has started",
	       .needs = "duration"),
	{ 0 },
};

static const struct option_set workers_sets[] = {
	{ NULL, workers_rows, 0 },
	{ NULL, display_rows, offsetof(struct workers_settings, display) },
	{ 0 },
};

static int look_once(const struct workers_settings *settings)
{
	const struct pool_request request = { .pid = settings->pid };
	struct workers *workers;
	autofree char *reason = NULL;
	int status;

	workers = pool__look_at(&request, &reason);
	if (!workers)
		return print_error("workers", EXIT_FORKTAX, "%s", reason);
	workers_advice__find(workers);
	status = print_workers("workers", workers, &settings->display, stdout);
	workers__free(workers);
	return status;
}

/* "12 (nginx), 34 (gunicorn)" */
static char *list_of(const struct pool_process *pools, size_t count)
{
	char *list = checked_strdup("");

	for (size_t i = 0; i < count; i++)
		text__replace(&list, "%s%s%d (%s)", list, i ? ", " : "", (int)pools[i].pid, pools[i].name);
	return list;
}

/* Is the process in a pool, or can nobody know? */
static bool has_pool(pid_t pid)
{
	size_t count;
	autofree char *reason = NULL;
	autofree int32_t *pids = pool__pids(pid, &count, NULL, &reason);

	return count != 1;
}

/* -p names what was started, which may be a shell or sudo: then the only pool below it is meant. */
static int choose_pool(struct workers_settings *settings)
{
	autofree struct pool_process *pools = NULL;
	size_t count;
	int status = 0;
	autofree char *list = NULL;

	if (has_pool(settings->pid))
		return 0;
	pools = pool_below__find(settings->pid, &count);
	list = list_of(pools, count);
	if (count > 1) {
		status = print_error("workers", EXIT_USAGE,
				     "process %d is in no pool; below it are those of %s: give one of these to -p",
				     (int)settings->pid, list);
	} else if (count == 1) {
		if (!settings->display.quiet)
			print_error("workers", 0, "process %d is in no pool; reading the one below it, of process %s",
				    (int)settings->pid, list);
		settings->pid = pools[0].pid;
	}
	return status;
}

static int check(void *of, char **operands)
{
	const struct workers_settings *settings = of;

	if (*operands && settings->pid)
		return print_error("workers", EXIT_USAGE, "give a command or -p, not both");
	if (!*operands && !settings->pid)
		return print_error("workers", EXIT_USAGE, "give a process with -p, or a command (see --help)");
	if (settings->stacks && !*operands && !settings->duration_ns)
		return print_error("workers", EXIT_USAGE, "--stack-trace needs --duration, or a command: only "
						       "then copies are recorded");
	return attach_options__refuse_pid("workers", operands);
}

static int look(void *of, char **operands, int *signal)
{
	struct workers_settings *settings = of;
	int status;

	status = settings->pid ? choose_pool(settings) : 0;
	if (status)
		return status;
	if (*operands || settings->duration_ns)
		return workers_watch__run(&(struct workers_watch){
			.pid = settings->pid,
			.command = *operands ? operands : NULL,
			.duration_ns = settings->duration_ns,
			.stacks = settings->stacks,
			.ready_fd = settings->ready_fd,
			.display = &settings->display,
		});
	return look_once(settings);
}

const struct command workers_command = {
	.name = "workers",
	.summary = "how much memory forked workers still share, and who unshares it",
	.synopsis = "[OPTIONS] -p PID\n[OPTIONS] [--] COMMAND [ARGUMENT]...",
	.about = "Reads the memory of a pool: a master process and the workers that it forked "
		 "and that have not executed another program. Shows which pages each worker "
		 "still shares, which it has copied, whether the copies differ, and what is new; "
		 "what would save memory, and how to try it. With -p nothing is stopped or changed.",
	.flag = FOR_WORKERS,
	.operands = "command",
	.sets = workers_sets,
	.main = command__run,
	SETTINGS(struct workers_settings),
	.check = check,
	.act = look,
};
