// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax explain: what one fork of a command costs, why, and what would make it cheaper. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice/advice.h"
#include "advice/start/start_advice.h"
#include "calibrate/calibrate.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/explain/explain_job.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "source/trace.h"

struct explain_settings {
	struct explain_job job;
	struct report_options display;
	const char *against; /* as given; NULL */
};

/* Number of timed runs unless -n or --no-time sets another. */
#define AS_TIME_ALLOWS SIZE_MAX

static const struct option_row explain_rows[] = {
	OPTION('k', "stack-trace", NULL, &option_flag, FIELD(struct explain_settings, job.rounds.stacks),
	       "take the call stack of each fault, too, by frame pointers"),
	OPTION(0, "no-try", NULL, &option_flag, FIELD(struct explain_settings, job.no_try),
	       "try nothing: the command is only traced, once, or twice if it does not fork"),
	OPTION(0, "startup", NULL, &option_flag, FIELD(struct explain_settings, job.startup),
	       "explain the command's start, too, if it forks; without forks, that is what is "
	       "explained"),
	OPTION(0, "against", "PROGRAM", &option_program, FIELD(struct explain_settings, against),
	       "run PROGRAM with the same arguments, too, and show where its start, or a fork "
	       "of it, differs",
	       .one_of = "subject"),
	{ 0 },
};

static const struct option_set explain_sets[] = {
	{ NULL, rounds_rows, offsetof(struct explain_settings, job.rounds) },
	{ NULL, explain_rows, 0 },
	{ NULL, attach_rows, offsetof(struct explain_settings, job.attach) },
	{ NULL, display_rows, offsetof(struct explain_settings, display) },
	{ 0 },
};

static int check_explain(struct explain_settings *settings, char **operands)
{
	struct explain_job *job = &settings->job;
	int status = attach_options__check(&job->attach, "explain", operands);

	if (status)
		return status;
	job->argv = *operands ? operands : NULL;
	if (job->startup && !job->argv)
		return complain("explain", EXIT_USAGE, "--startup needs a command: processes of -p "
						       "have started already");
	job->runs_given = job->rounds.timed != AS_TIME_ALLOWS;
	job->attach.notice = settings->display.quiet ? NULL : "explain";
	job->rounds.progress = bench_progress__is_wanted(&settings->display);
	return check_output("explain", &settings->display, stdout);
}

/* Finds what is missing before a second is spent on measuring. */
static int prepare_explain(struct explain_settings *settings)
{
	struct explain_job *job = &settings->job;
	const struct trace_request request = { .source = job->rounds.source, .anatomy = true };
	const char *missing = trace__missing_privileges(&request);
	int status;

	if (missing)
		return complain("explain", EXIT_FORKTAX, "tracing needs %s: run it as root", missing);
	if (settings->against) {
		status = find_command("explain", settings->against, &job->against);
		if (status)
			return status;
	}
	return job->argv ? find_command("explain", job->argv[0], &job->path) : 0;
}

static void calibrate_explain(struct explain_settings *settings)
{
	struct explain_job *job = &settings->job;
	char *reason;

	if (job->rounds.progress)
		fputs("\rmeasuring what forks and faults cost on this machine\033[K", stderr);
	if (!calibrate__costs(job->costs, &reason))
		complain("explain", 0, "some costs are not known, and so some advice has no estimate: %s",
			 reason ? reason : "out of memory");
	free(reason);
	if (job->rounds.progress)
		fputs("\r\033[K", stderr);
}

static int explain(struct explain_settings *settings, char **operands)
{
	struct explain_job *job = &settings->job;
	struct run *run = NULL;
	struct fork_bills bills;
	int signal, status = check_explain(settings, operands);

	if (!status)
		status = prepare_explain(settings);
	if (status)
		return status;
	calibrate_explain(settings);
	status = explain__look(job, &run);
	if (status)
		return status;
	memcpy(run->anatomy->costs, job->costs, sizeof(job->costs));
	bills = fork_bills__of(run);
	advice__find(run, &bills);
	advice__judge(run, &bills);
	if (run->start)
		start_advice__find(run, environ);
	status = explain__try(job, run, &bills, &signal);
	fork_bills__free(&bills);
	if (!status)
		status = print_run("explain", run, &settings->display, stdout);
	run__free(run);
	return signal ? die_like(signal) : status;
}

static int cmd_explain(const struct command *command, int argc, char **argv)
{
	struct explain_settings settings = {
		.job.rounds = { .name = "explain", .timed = AS_TIME_ALLOWS, .traced = 6,
				.anatomy = true, .fixed_traced = true },
	};
	int status;

	if (options__parse(command, argc, argv, &settings, &status)) {
		if (settings.display.counters)
			status = print_counters("explain", &settings.display);
		else
			status = explain(&settings, argv + optind);
	}
	report_options__free(&settings.display);
	attach_options__free(&settings.job.attach);
	free(settings.job.path);
	free(settings.job.against);
	return status;
}

const struct command explain_command = {
	.name = "explain",
	.summary = "what one fork of a command costs, why, and what would help",
	.synopsis = "[OPTIONS] [--] COMMAND [ARGUMENT]...\n[OPTIONS] -p PID [-p PID]...",
	.about = "Shows what one fork of the command costs, fault by fault, and gives advice: with "
		 "evidence, with what it should save, and, where a setting of the environment is "
		 "all it takes, with what it did save when tried. The command is run several "
		 "times; its input and output are /dev/null.",
	.flag = FOR_EXPLAIN,
	.operands = "command",
	.sets = explain_sets,
	.main = cmd_explain,
};
