// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs commands in turns (A B C A B C ...), so that what changes on the machine meanwhile
 * disturbs all of them: first untraced with a clock, then traced.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/enrich.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "elf/checked.h"
#include "format/escape.h"
#include "source/diagnose.h"
#include "source/trace.h"

static void show_progress(const struct compare_job *job, const char *what, size_t round,
			  size_t rounds, const char *label)
{
	char *safe;

	if (!job->progress)
		return;
	safe = escape__text(label, true);
	fprintf(stderr, "\r%s %zu of %zu: %s\033[K", what, round, rounds, safe);
	free(safe);
}

static void clear_progress(const struct compare_job *job)
{
	if (job->progress)
		fputs("\r\033[K", stderr);
}

static int complain_failure(const struct compare_job *job, const struct compare_column *column,
			    int status, int signal)
{
	const char *hint = job->show_output ? "-i goes on" : "--show-output shows why, -i goes on";

	clear_progress(job);
	if (signal)
		return complain("compare", EXIT_FORKTAX, "%s was killed by signal %d (%s); %s",
				column->label, signal, strsignal(signal), hint);
	return complain("compare", EXIT_FORKTAX, "%s exited with status %d; %s", column->label,
			status, hint);
}

static int start(const struct compare_job *job, const struct compare_column *column, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	if (!job->show_output)
		error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	for (int fd = 1; !error && !job->show_output && fd < 3; fd++)
		error = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
	if (!error)
		error = posix_spawn(pid, column->path, &actions, NULL, column->command, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int time_once(const struct compare_job *job, struct compare_column *column, bool keep)
{
	double begin = now();
	pid_t pid;
	int status = 0, error = start(job, column, &pid);

	if (error) {
		clear_progress(job);
		return complain("compare", EXIT_REFUSED, "%s cannot be executed: %s", column->path,
				strerror(error));
	}
	while (wait4(pid, &status, 0, NULL) < 0 && errno == EINTR)
		;
	if (keep)
		column->samples_ns[column->sample_count++] = now() - begin;
	if (job->ignore_failure || status == 0)
		return 0;
	return complain_failure(job, column, WEXITSTATUS(status),
				WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

static int time_all(struct compare_job *job)
{
	for (size_t i = 0; i < job->column_count; i++)
		job->columns[i].samples_ns =
			checked_calloc(job->runs, sizeof(*job->columns[i].samples_ns));
	for (size_t round = 0; round <= job->runs; round++) { /* round 0 is the warm-up */
		for (size_t i = 0; i < job->column_count; i++) {
			struct compare_column *column = &job->columns[i];
			int status;

			if (!compare_column__is_live(column))
				continue;
			show_progress(job, "timing", round, job->runs, column->label);
			status = time_once(job, column, round > 0);
			if (status)
				return status;
		}
	}
	return 0;
}

static int complain_trace(enum trace_result result, char *message)
{
	static const int statuses[] = {
		[TRACE_COMMAND_MISSING] = EXIT_MISSING,
		[TRACE_COMMAND_REFUSED] = EXIT_REFUSED,
		[TRACE_FAILED] = EXIT_FORKTAX,
	};

	complain("compare", 0, "%s", message);
	free(message);
	return statuses[result];
}

static int trace_once(const struct compare_job *job, struct compare_column *column)
{
	const struct trace_request request = {
		.argv = column->command,
		.no_aslr = job->no_aslr,
		.quiet_command = !job->show_output,
		.fault_level = FAULTS_CLASSES,
		.linger_ns =
			1000000000, /* children that outlive the command by little belong to it */
	};
	struct run *run = NULL;
	char *message = NULL;
	enum trace_result result = trace__run(&request, &run, &message);

	if (result != TRACE_OK) {
		clear_progress(job);
		return complain_trace(result, message);
	}
	enrich__run(run);
	column->runs[column->run_count++] = run;
	if (job->ignore_failure || (run->status == 0 && run->signal == 0))
		return 0;
	return complain_failure(job, column, run->status, run->signal);
}

static int trace_all(struct compare_job *job)
{
	for (size_t i = 0; i < job->column_count; i++) {
		if (compare_column__is_live(&job->columns[i]))
			job->columns[i].runs =
				checked_calloc(job->traced_runs, sizeof(struct run *));
	}
	for (size_t round = 0; round < job->traced_runs; round++) {
		for (size_t i = 0; i < job->column_count; i++) {
			struct compare_column *column = &job->columns[i];
			int status;

			if (!compare_column__is_live(column))
				continue;
			show_progress(job, "tracing", round + 1, job->traced_runs, column->label);
			status = trace_once(job, column);
			if (status)
				return status;
		}
	}
	return 0;
}

/* Better now than after the timed rounds. */
static int check_capabilities(const struct compare_job *job)
{
	const char *missing;
	bool live = false;

	for (size_t i = 0; i < job->column_count; i++)
		live |= compare_column__is_live(&job->columns[i]);
	if (!live || !job->traced_runs || diagnose__has_capabilities(&missing))
		return 0;
	return complain("compare", EXIT_FORKTAX,
			"tracing needs %s: run it as root, or compare files and times "
			"alone with --traced-runs 0",
			missing);
}

int compare_job__measure(struct compare_job *job)
{
	int status = check_capabilities(job);

	if (status)
		return status;
	/* For the timed runs; it has no effect on ourselves, only on what we execute. */
	if (job->no_aslr && personality(ADDR_NO_RANDOMIZE) < 0)
		return complain("compare", EXIT_FORKTAX, "--no-aslr: %s", strerror(errno));
	if (job->runs)
		status = time_all(job);
	if (!status && job->traced_runs)
		status = trace_all(job);
	clear_progress(job);
	return status;
}
