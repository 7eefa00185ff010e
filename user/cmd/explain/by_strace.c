// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/explain/by_strace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/explain/interrupted.h"
#include "cmd/load_run.h"
#include "cmd/print.h"
#include "launch/gate.h"
#include "launch/launch.h"
#include "report/options.h"
#include "resolve/start/start_explain.h"
#include "saved/saved.h"
#include "source/source.h"

/* What `forktax report` asks of a log for a start (docs/use/strace-logs.md). */
static const char *const arguments[] = { "strace", "-f", "-ttt", "-T", "-v", "-s", "256", "-y", "-o" };
enum { ARGUMENTS = sizeof(arguments) / sizeof(arguments[0]) };

bool explain__takes_strace(const struct explain_job *job, const char *missing)
{
	if (job->rounds.source)
		return sources[job->rounds.source - 1]->cannot(ABILITY_ANATOMY);
	return missing && job->startup;
}

static const char *refusal(const struct explain_job *job)
{
	if (!job->argv)
		return "strace explains the start of a command; processes of -p have started already";
	return job->rounds.stacks ? "strace takes no call stacks of page faults: leave out -k" : NULL;
}

static char **arguments_of(const struct explain_job *job, const char *log)
{
	const size_t count = text__list_length(job->argv);
	char **argv = checked_calloc(ARGUMENTS + count + 3, sizeof(*argv));
	size_t used = 0;

	for (; used < ARGUMENTS; used++)
		argv[used] = (char *)arguments[used];
	argv[used++] = (char *)log;
	argv[used++] = (char *)"--";
	argv[used++] = job->path;
	memcpy(argv + used, job->argv + 1, (count - 1) * sizeof(*argv));
	return argv;
}

/* Writes the log to a file of ours that strace opens itself, so that the command inherits nothing. */
static int write_log(const struct explain_job *job, char *strace, int log)
{
	autofree char *name = text__of("/proc/%d/fd/%d", (int)getpid(), log);
	autofree char **argv = arguments_of(job, name);
	const struct launch ours = { .path = strace, .argv = argv, .stdio = LAUNCH_STDIO_OURS, .dies_with_us = true };
	struct launch launch = ours;
	pid_t pid;
	int error;

	if (!job->rounds.show_output)
		launch.stdio[0] = launch.stdio[1] = launch.stdio[2] = LAUNCH_NULL;
	error = launch__start(&launch, &pid);
	if (!error)
		launch__reap(pid);
	return error ? print_error("explain", EXIT_FORKTAX, "strace could not be started: %s", strerror(abs(error)))
		     : 0;
}

static int read_log(int log, struct saved *what)
{
	const struct report_options asked = { .show[SHOW_START_CALLS] = true };
	char *name = text__of("/proc/self/fd/%d", log), *reason;
	int status = 0;

	if (load_file(name, &asked, what, &reason)) {
		status = print_error("explain", EXIT_FORKTAX, "strace recorded nothing: %s", reason);
		free(reason);
	} else if (what->run->start) {
		start__explain(what->run);
	}
	free(name);
	return status;
}

static int check_run(const struct explain_job *job, const struct run *run)
{
	if (!run->start)
		return print_error("explain", EXIT_FORKTAX, "the log of strace does not contain the start");
	if (job->rounds.ignore_failure || (!run->status && !run->signal))
		return 0;
	return print_error("explain", EXIT_FORKTAX, "%s failed; --show-output shows why, -i goes on", job->argv[0]);
}

/* The answer of a start; a run's tables are not asked for. */
static int print_start(const struct run *run, const struct report_options *display)
{
	struct report_options options = *display;

	options.start_alone = true;
	return print_run("explain", run, &options, stdout);
}

static void say_cost(const struct explain_job *job, const char *missing)
{
	if (!job->rounds.source)
		print_error("explain", 0, "explained by strace: without page faults, and every system call "
				       "takes longer; eBPF needs %s (forktax doctor)", missing);
}

static int record(const struct explain_job *job, char *strace, struct saved *what)
{
	int log = memfd_create("forktax-strace", MFD_CLOEXEC), status;

	if (log < 0)
		return print_error("explain", EXIT_FORKTAX, "cannot create a file for the log of strace: %s",
				   strerror(errno));
	interrupted__say(false);
	status = write_log(job, strace, log);
	interrupted__end();
	if (!status)
		status = read_log(log, what);
	close(log);
	return status ? status : check_run(job, what->run);
}

int explain__by_strace(const struct explain_job *job, const char *missing, const struct report_options *display)
{
	const char *refused = refusal(job);
	struct saved what = { 0 };
	char *strace;
	int status;

	if (refused)
		return print_error("explain", EXIT_USAGE, "%s", refused);
	strace = gate__find("strace");
	if (!strace)
		return print_error("explain", EXIT_FORKTAX, "strace is not installed (apt install strace)");
	say_cost(job, missing);
	status = record(job, strace, &what);
	if (!status)
		status = print_start(what.run, display);
	saved__free(&what);
	free(strace);
	return status;
}
