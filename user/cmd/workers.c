// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax workers: which memory the processes of a pool still share, and which not. */
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "cmd/workers_watch.h"
#include "cmd/workers_try.h"
#include "launch/interrupt.h"
#include "pool/pool.h"
#include "pool/pool_below.h"
#include "pool/pool_members.h"
#include "report/workers/workers_report.h"

struct workers_settings {
	int32_t pid; /* 0: not given */
	uint64_t every_ns; /* 0: once */
	uint64_t duration_ns; /* of the watch; 0: none */
	int ready_fd;
	bool stacks; /* of the watch */
	uint64_t sample; /* one in so many pieces; 0: as large as the pool allows */
	struct workers_try try;
	struct report_options display;
};

static int take_pid(const struct option_row *row, void *field, const char *argument, char **reason)
{
	uint64_t pid;

	if (!number__whole(argument, 1, INT32_MAX, &pid))
		return text__wrong(reason, "must be a process id");
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
	       "with --duration or a command: record call stacks of the writes, by frame pointers"),
	OPTION(0, "every", "TIME", &option_time, FIELD(struct workers_settings, every_ns),
	       "read the pool repeatedly until Ctrl-C and print one line each time; on a "
	       "terminal redraw the screen",
	       .least = 0.1, .most = 1e9, .one_of = "format"),
	OPTION(0, "ready-fd", "N", &option_descriptor, FIELD(struct workers_settings, ready_fd),
	       "write \"ready\" to file descriptor N once the watch has started",
	       .needs = "duration"),
	OPTION(0, "sample", "N", &option_count, FIELD(struct workers_settings, sample),
	       "scan 1 of N 2-MiB regions (default: all, up to 128 GiB of all members together)",
	       .least = 1, .most = 1e6),
	OPTION(0, "load", "COMMAND", &option_program, FIELD(struct workers_settings, try.load),
	       "start the pool, run COMMAND in a shell as its load, then test ways to save memory"),
	OPTION(0, "restart", "COMMAND", &option_program, FIELD(struct workers_settings, try.refork),
	       "shell command that restarts the workers ($MASTER is the master's pid); run four "
	       "times during the load", .needs = "load"),
	OPTION('n', "runs", "N", &option_count, FIELD(struct workers_settings, try.runs),
	       "runs of the pool unchanged and with each remedy (default 3)", .needs = "load",
	       .least = 1, .most = 1000),
	OPTION(0, "no-try", NULL, &option_flag, FIELD(struct workers_settings, try.no_try),
	       "run the pool once, unchanged; test nothing", .needs = "load"),
	OPTION(0, "ready", "COMMAND", &option_program, FIELD(struct workers_settings, try.ready),
	       "start the load when this shell command succeeds (default: when the pool has "
	       "forked and is idle)", .needs = "load"),
	OPTION(0, "wait", "TIME", &option_time, FIELD(struct workers_settings, try.wait_ns),
	       "how long to wait for the pool to be ready (default 30s)", .needs = "load",
	       .least = 0.1, .most = 1e6),
	{ 0 },
};

static const struct option_set workers_sets[] = {
	{ NULL, workers_rows, 0 },
	{ NULL, display_rows, offsetof(struct workers_settings, display) },
	{ 0 },
};

/* With a baseline: again and again, also if all workers have ended. */
static struct workers *look_at(const struct workers_settings *settings, pid_t pid,
			       struct pool_baseline *baseline, char **reason)
{
	const struct pool_request request = {
		.pid = pid,
		.may_be_alone = baseline,
		.baseline = baseline,
		.every = settings->sample,
	};

	return pool__look_at(&request, reason);
}

static int look_once(const struct workers_settings *settings)
{
	char *reason;
	struct workers *workers = look_at(settings, settings->pid, NULL, &reason);
	int status;

	if (!workers) {
		status = complain("workers", EXIT_FORKTAX, "%s", reason);
		free(reason);
		return status;
	}
	status = print_workers("workers", workers, &settings->display);
	workers__free(workers);
	return status;
}

/* A pool that is looked at again and again, although members come and go. */
struct watch {
	const struct workers_settings *settings;
	struct workers *last;
	struct identity identity; /* of the pool */
	struct pool_baseline baseline; /* of the first look */
	bool redraws; /* a terminal's screen */
	char *reason; /* why there is nothing to see any more */
};

enum { OTHERS_MOST = 3 }; /* that may end while they are looked at */

/* By another member, if that one has gone: perhaps by one that was born after the last look. */
static struct workers *look_on(struct watch *watch)
{
	struct workers *workers =
		look_at(watch->settings, watch->settings->pid, &watch->baseline, &watch->reason);

	for (int i = 0; !workers && watch->identity.size && i < OTHERS_MOST; i++) {
		pid_t other = pool_members__any(&watch->identity);
		char *reason;

		if (!other)
			break;
		workers = look_at(watch->settings, other, &watch->baseline, &reason);
		free(reason);
	}
	if (workers && !watch->identity.size)
		identity__read(&watch->identity, workers__member_pid(workers, 0));
	return workers;
}

/* Its members may have ended while they were looked at: others of it are left for the next look. */
static bool is_over(const struct watch *watch)
{
	return !watch->identity.size || !pool_members__any(&watch->identity);
}

static int show(const struct watch *watch)
{
	struct report_options options = watch->settings->display;

	if (watch->redraws) {
		fputs("\033[H\033[2J", stdout);
		return print_workers("workers", watch->last, &options);
	}
	workers_line__print(watch->last, stdout);
	return finish_stdout("workers");
}

/* True: it is time; false: a signal came. */
static bool wait_until(struct interrupt *interrupt, double ns)
{
	struct pollfd poll_fd = { .fd = interrupt->fd, .events = POLLIN };
	double left = ns - clock__now_ns();

	while (left > 0 && !interrupt__came(interrupt)) {
		poll(&poll_fd, 1, left > 6e10 ? 60000 : (int)ceil(left / 1e6));
		left = ns - clock__now_ns();
	}
	return !interrupt__came(interrupt);
}

/* Takes the state. */
static int show_next(struct watch *watch, struct workers *workers)
{
	workers__free(watch->last);
	watch->last = workers;
	return show(watch);
}

static int watch_pool(struct watch *watch, struct interrupt *interrupt)
{
	double next = clock__now_ns();
	int status = 0;

	if (!watch->redraws)
		workers_line__head(stdout);
	do {
		struct workers *workers = look_on(watch);

		if (!workers && is_over(watch))
			return complain("workers", watch->last ? 0 : EXIT_FORKTAX, "%s", watch->reason);
		free(watch->reason);
		watch->reason = NULL;
		if (workers)
			status = show_next(watch, workers);
		next = fmax(next + watch->settings->every_ns, clock__now_ns());
	} while (!status && wait_until(interrupt, next));
	return status;
}

static int look_every(const struct workers_settings *settings)
{
	struct watch watch = {
		.settings = settings,
		.redraws = isatty(STDOUT_FILENO) && !settings->display.path,
	};
	struct interrupt interrupt;
	int status;

	interrupt__begin(&interrupt);
	status = watch_pool(&watch, &interrupt);
	interrupt__end(&interrupt);
	workers__free(watch.last);
	pool_baseline__release(&watch.baseline);
	free(watch.reason);
	return status;
}

static int watch(const struct workers_settings *settings, char **operands)
{
	const struct workers_watch request = {
		.pid = settings->pid,
		.command = *operands ? operands : NULL,
		.duration_ns = settings->duration_ns,
		.stacks = settings->stacks,
		.ready_fd = settings->ready_fd,
		.display = &settings->display,
	};

	return workers_watch__run(&request);
}

static int load(const struct workers_settings *settings, char **operands)
{
	int status;

	if (settings->pid || settings->every_ns || settings->duration_ns || settings->sample ||
	    settings->stacks)
		return complain("workers", EXIT_USAGE,
				"--load starts the pool itself, and looks at it after the load: give its "
				"command, and none of -p, --every, --duration, --sample and --stack-trace");
	if (!*operands)
		return complain("workers", EXIT_USAGE, "--load needs the command that starts the pool");
	status = check_output("workers", &settings->display, stdout);
	return status ? status : workers_try__run(&settings->try, operands, &settings->display);
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
	char *reason = NULL;
	int32_t *pids = pool__pids(pid, &count, NULL, &reason);

	free(pids);
	free(reason);
	return count != 1;
}

/* -p names what was started, which may be a shell or sudo: then the only pool below it is meant. */
static int choose_pool(struct workers_settings *settings)
{
	struct pool_process *pools;
	size_t count;
	int status = 0;
	char *list;

	if (has_pool(settings->pid))
		return 0;
	pools = pool_below__find(settings->pid, &count);
	list = list_of(pools, count);
	if (count > 1) {
		status = complain("workers", EXIT_USAGE, "process %d is in no pool; below it are those of %s: give one of these to -p",
				  (int)settings->pid, list);
	} else if (count == 1) {
		if (!settings->display.quiet)
			complain("workers", 0, "process %d is in no pool; reading the one below it, of process %s",
				 (int)settings->pid, list);
		settings->pid = pools[0].pid;
	}
	free(list);
	free(pools);
	return status;
}

static int workers(struct workers_settings *settings, char **operands)
{
	int status;

	if (settings->try.load)
		return load(settings, operands);
	if (*operands && settings->pid)
		return complain("workers", EXIT_USAGE, "give a command or -p, not both");
	if (!*operands && !settings->pid)
		return complain("workers", EXIT_USAGE, "give a process with -p, or a command (see --help)");
	if (settings->every_ns && (*operands || settings->duration_ns))
		return complain("workers", EXIT_USAGE, "--every looks at a state: it goes with -p alone");
	if (settings->stacks && !*operands && !settings->duration_ns)
		return complain("workers", EXIT_USAGE, "--stack-trace needs --duration, or a command: a state "
						       "does not tell who wrote");
	if (settings->sample && (*operands || settings->duration_ns))
		return complain("workers", EXIT_USAGE,
				"--sample looks at a state: it goes with -p, without --duration");
	if (settings->every_ns && settings->display.formats[TABLE_HTML])
		return complain("workers", EXIT_USAGE, "--every prints again and again: a page is one look");
	if (settings->every_ns && settings->display.path)
		return complain("workers", EXIT_USAGE, "--every prints to stdout: it does not go with -o");
	status = check_output("workers", &settings->display, stdout);
	if (!status && settings->pid)
		status = choose_pool(settings);
	if (status)
		return status;
	if (*operands || settings->duration_ns)
		return watch(settings, operands);
	return settings->every_ns ? look_every(settings) : look_once(settings);
}

static int cmd_workers(const struct command *command, int argc, char **argv)
{
	struct workers_settings settings = { .try = { .runs = 3, .wait_ns = 30000000000 } };
	int status;

	if (options__parse(command, argc, argv, &settings, &status))
		status = workers(&settings, argv + optind);
	report_options__free(&settings.display);
	return status;
}

const struct command workers_command = {
	.name = "workers",
	.summary = "how much memory forked workers still share, and who unshares it",
	.synopsis = "[OPTIONS] -p PID\n[OPTIONS] [--] COMMAND [ARGUMENT]...\n"
		    "[OPTIONS] --load COMMAND [--] COMMAND [ARGUMENT]...",
	.about = "Reads the memory of a pool: a master process and the workers that it forked "
		 "and that have not executed another program. Shows which pages each worker "
		 "still shares, which it has copied, whether the copies differ, and what is new. "
		 "With -p nothing is stopped or changed. With --load, forktax starts the pool, "
		 "puts load on it, and tests ways to save memory.",
	.flag = FOR_WORKERS,
	.operands = "command",
	.sets = workers_sets,
	.main = cmd_workers,
};
