// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax explain: what one fork of a command costs, why, and what would make it cheaper. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice/advice.h"
#include "advice/run/run_advice.h"
#include "advice/start/start_advice.h"
#include "analysis/forks/bill_faults.h"
#include "base/autofree.h"
#include "calibrate/calibrate.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/explain/by_strace.h"
#include "cmd/explain/explain_job.h"
#include "cmd/explain/interrupted.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "elf/shell.h"
#include "source/privileges.h"
#include "source/trace.h"

struct explain_settings {
	struct explain_job job;
	struct report_options display;
};

/* Number of timed runs unless -n or --no-time sets another. */
#define AS_TIME_ALLOWS SIZE_MAX

static const struct option_row explain_rows[] = {
	OPTION('k', "stack-trace", NULL, &option_flag, FIELD(struct explain_settings, job.rounds.stacks),
	       "record the call stack of each fault, by frame pointers"),
	OPTION(0, "no-try", NULL, &option_flag, FIELD(struct explain_settings, job.no_try),
	       "trace only; do not test the advice"),
	OPTION(0, "startup", NULL, &option_flag, FIELD(struct explain_settings, job.startup),
	       "explain the startup of a command that forks, too (without forks it is explained "
	       "anyway)"),
	{ 0 },
};

static const struct option_set explain_sets[] = {
	{ NULL, rounds_rows, offsetof(struct explain_settings, job.rounds) },
	{ NULL, explain_rows, 0 },
	{ NULL, attach_rows, offsetof(struct explain_settings, job.attach) },
	{ NULL, display_rows, offsetof(struct explain_settings, display) },
	{ 0 },
};

static int check(void *of, char **operands)
{
	struct explain_settings *settings = of;
	struct explain_job *job = &settings->job;
	int status = attach_options__check(&job->attach, "explain", operands);

	if (status)
		return status;
	job->argv = *operands ? operands : NULL;
	if (job->startup && !job->argv)
		return print_error("explain", EXIT_USAGE,
				   "--startup needs a command: what runs "
				   "has started already");
	job->runs_given = job->rounds.timed != AS_TIME_ALLOWS;
	if (job->runs_given && job->rounds.timed && !job->argv)
		return print_error("explain", EXIT_USAGE, "-n goes with a command: what runs is not run again");
	job->attach.notice = settings->display.quiet ? NULL : "explain";
	job->rounds.progress = bench_progress__is_wanted(&settings->display);
	return 0;
}

static const char *missing_privileges(const struct explain_job *job)
{
	const struct trace_request request = { .source = job->rounds.source, .anatomy = true };

	return trace__missing_privileges(&request);
}

static int print_missing(const char *missing)
{
	autofree char *lacking = privileges__lacking(missing);

	print_error("explain", 0, "%s; --startup explains the start of a command by strace", lacking);
	return EXIT_FORKTAX;
}

static int find_commands(struct explain_settings *settings)
{
	struct explain_job *job = &settings->job;

	return job->argv ? find_command("explain", job->argv[0], &job->path) : 0;
}

static void calibrate_explain(struct explain_settings *settings)
{
	struct explain_job *job = &settings->job;
	char *reason;

	if (job->rounds.progress)
		fputs("\rmeasuring what forks and faults cost on this machine\033[K", stderr);
	interrupted__say(job->rounds.progress);
	if (!calibrate__costs(job->costs, &reason))
		print_error("explain", 0, "some costs are unknown, so some advice has no prediction: %s",
			    reason ? reason : "out of memory");
	interrupted__end();
	free(reason);
	if (job->rounds.progress)
		fputs("\r\033[K", stderr);
}

/* What the run shows, and what trying the advice does. */
static int explain_forks(struct explain_settings *settings, int *signal)
{
	struct explain_job *job = &settings->job;
	struct run *run = NULL, *of_files = NULL;
	struct fork_breakdowns breakdowns;
	int status;

	calibrate_explain(settings);
	status = explain__look(job, &run);
	if (status)
		return status;
	memcpy(run->anatomy->costs, job->costs, sizeof(job->costs));
	bill_faults__move(run);
	status = explain__time_untraced(job, run, signal);
	if (!status && !*signal)
		explain__look_at_files(job, run, &of_files, signal);
	run_advice__find(run, of_files, job->argv ? environ : NULL);
	run__free(of_files);
	if (run->start && !job->startup && run->totals[LIFE_FORKS]) { /* it was for that advice alone */
		start__free(run->start);
		run->start = NULL;
	}
	breakdowns = fork_breakdowns__of(run);
	advice__find(run, &breakdowns);
	advice__judge(run, &breakdowns);
	if (run->start)
		start_advice__find(run, environ);
	if (!status)
		status = explain__try(job, run, &breakdowns, signal);
	fork_breakdowns__free(&breakdowns);
	if (!status)
		status = print_run("explain", run, &settings->display, stdout);
	run__free(run);
	return status;
}

static int explain(void *of, char **operands, int *signal)
{
	struct explain_settings *settings = of;
	const struct explain_job *job = &settings->job;
	const char *missing = missing_privileges(job);
	int status = find_commands(settings);

	if (status)
		return status;
	if (job->argv && job->rounds.no_aslr && !settings->display.quiet)
		warn_of_layout("explain", job->argv[0]);
	if (explain__takes_strace(job, missing))
		return explain__by_strace(job, missing, &settings->display);
	return missing ? print_missing(missing) : explain_forks(settings, signal);
}

static void release(void *of)
{
	struct explain_settings *settings = of;

	attach_options__free(&settings->job.attach);
	free(settings->job.path);
}

const struct command explain_command = {
	.name = "explain",
	.summary = "why a command forks or starts slowly, and what would help",
	.synopsis = "[OPTIONS] [--] COMMAND [ARGUMENT]...\n[OPTIONS] -p PID [-p PID]...\n[OPTIONS] --cgroup PATH | -a",
	.about = "Shows what a fork of the command costs and why, and advises what to change: "
		 "with the evidence, the predicted saving and, where an environment variable is "
		 "enough to try it, the measured saving. If the command does not fork, its "
		 "startup is explained. The command runs several times; its input and output "
		 "are /dev/null.",
	.flag = FOR_EXPLAIN,
	.operands = "command",
	.sets = explain_sets,
	.main = command__run,
	SETTINGS(struct explain_settings,
		 .job.rounds = { .name = "explain", .timed = AS_TIME_ALLOWS, .traced = 6,
				 .anatomy = true, .tree_times = true, .find_shell = elf_shell__find,
				 .calls_later = true, .fixed_traced = true }),
	.check = check,
	.act = explain,
	.release = release,
};
