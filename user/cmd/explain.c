// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax explain: what one fork of a command costs, why, and what would make it cheaper. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "advice/advice.h"
#include "base/memory.h"
#include "calibrate/calibrate.h"
#include "cmd/attach_options.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/explain_job.h"
#include "cmd/rounds_options.h"
#include "model/syscall_names.h"
#include "source/ebpf/diagnose.h"

static const char usage[] =
	"usage: forktax explain [OPTIONS] [--] COMMAND [ARGUMENT]...\n"
	"       forktax explain [OPTIONS] -p PID [-p PID]...\n\n"
	"Shows what one fork of the command costs, fault by fault, and gives advice: with evidence,\n"
	"with what it should save, and, where a setting of the environment is all it takes, with what\n"
	"it did save when tried. The command is run several times; its input and output are /dev/null.\n\n"
	"  -n, --runs=N         timed runs of each thing that is tried (default: 6 to 40, as many\n"
	"                       as 15 s allow)\n"
	"      --traced-runs=N  traced runs of each (default 6)\n"
	"      --no-time        try without timed runs\n"
	"      --no-try         try nothing: the command runs once\n"
	"      --against=PROGRAM\n"
	"                       run PROGRAM with the same arguments, too, and show where a fork of it\n"
	"                       differs\n"
	"      --no-aslr        fix the memory layout of timed runs, too; that of traced ones always is\n"
	"      --show-output    let the command read and write; otherwise that is /dev/null\n"
	"  -i, --ignore-failure go on when the command fails\n"
	"  -p, --attach=PID[,PID]...\n"
	"                       look at running processes until Ctrl-C (in the background of a script:\n"
	"                       until SIGTERM, as shells let such jobs ignore SIGINT); nothing is tried\n"
	"      --ready-fd=N     with -p: write \"ready\" to descriptor N when counting has begun\n"
	"      --duration=SECONDS\n"
	"                       or for that long\n";

struct settings {
	struct explain_job job;
	struct report_options display;
	const char *against; /* as given; NULL */
	bool help;
};

enum { OPTION_NO_TRY = 0x4000, OPTION_AGAINST, OPTION_DURATION, OPTION_READY_FD };

static const struct option long_options[] = {
	REPORT_LONG_OPTIONS,
	ROUNDS_LONG_OPTIONS,
	{ "attach", required_argument, NULL, 'p' },
	{ "duration", required_argument, NULL, OPTION_DURATION },
	{ "ready-fd", required_argument, NULL, OPTION_READY_FD },
	{ "against", required_argument, NULL, OPTION_AGAINST },
	{ "no-try", no_argument, NULL, OPTION_NO_TRY },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static int take(struct settings *settings, int option)
{
	struct explain_job *job = &settings->job;

	switch (option) {
	case 'p':
		return parse_pids(optarg, &job->pids, &job->pid_count)
			       ? 0
			       : complain("explain", EXIT_USAGE, "-p wants a process id");
	case OPTION_DURATION:
		return parse_seconds(optarg, &job->duration_ns)
			       ? 0
			       : complain("explain", EXIT_USAGE,
					  "--duration wants seconds above zero");
	case OPTION_READY_FD:
		return parse_ready_fd(optarg, &job->notice.fd)
			       ? 0
			       : complain("explain", EXIT_USAGE, "%s", READY_FD_PROBLEM);
	case OPTION_NO_TRY:
		job->no_try = true;
		return 0;
	case OPTION_AGAINST:
		settings->against = optarg;
		return 0;
	case 'h':
		settings->help = true;
		return 0;
	case 'n':
		job->runs_given = true;
		break;
	case OPTION_TRACED_RUNS:
	case OPTION_NO_TIME:
	case OPTION_NO_ASLR:
	case OPTION_SHOW_OUTPUT:
	case 'i':
		break;
	default:
		return take_report_option("explain", &settings->display, option);
	}
	return rounds__take(&job->rounds, option, optarg);
}

static int check(struct settings *settings, char **operands)
{
	struct explain_job *job = &settings->job;

	if (job->pid_count && *operands)
		return complain("explain", EXIT_USAGE, "give a command or -p, not both");
	if (!job->pid_count && !*operands)
		return complain("explain", EXIT_USAGE, "give a command, or a process with -p");
	if (job->duration_ns && !job->pid_count)
		return complain("explain", EXIT_USAGE, "--duration goes with -p: a command is "
						       "followed to its end");
	if (job->notice.fd && !job->pid_count)
		return complain("explain", EXIT_USAGE, "--ready-fd goes with -p");
	if (settings->against && job->pid_count)
		return complain("explain", EXIT_USAGE, "--against goes with a command");
	job->argv = job->pid_count ? NULL : operands;
	job->notice.name = settings->display.quiet ? NULL : "explain";
	return 0;
}

static int parse(int argc, char **argv, struct settings *settings)
{
	int option, status;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:" REPORT_SHORT_OPTIONS ROUNDS_SHORT_OPTIONS "p:h",
				     long_options, NULL)) >= 0) {
		if (option == '?' || option == ':')
			return complain_option("explain", option, argv);
		status = take(settings, option);
		if (status)
			return status;
	}
	if (settings->help || settings->display.counters)
		return 0;
	return check(settings, argv + optind);
}

/* What can be found out before a second is spent on measuring. */
static int prepare(struct settings *settings)
{
	struct explain_job *job = &settings->job;
	const char *missing;
	char *reason;
	int status;

	if (settings->display.path && output__check(settings->display.path, &reason)) {
		complain("explain", 0, "%s", reason);
		free(reason);
		return EXIT_FORKTAX;
	}
	if (!diagnose__has_capabilities(&missing))
		return complain("explain", EXIT_FORKTAX, "tracing needs %s: run it as root", missing);
	if (settings->against) {
		status = find_command("explain", settings->against, &job->against);
		if (status)
			return status;
	}
	return job->argv ? find_command("explain", job->argv[0], &job->path) : 0;
}

static void calibrate(struct settings *settings)
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

static int explain(struct settings *settings)
{
	struct explain_job *job = &settings->job;
	struct run *run = NULL;
	struct fork_bills bills;
	int status = prepare(settings);

	if (status)
		return status;
	calibrate(settings);
	status = explain__look(job, &run);
	if (status)
		return status;
	memcpy(run->anatomy->costs, job->costs, sizeof(job->costs));
	bills = fork_bills__of(run);
	advice__find(run, &bills);
	advice__judge(run, &bills);
	status = explain__try(job, run, &bills);
	fork_bills__free(&bills);
	if (!status)
		status = print_run("explain", run, &settings->display, stdout);
	run__free(run);
	return status;
}

int cmd_explain(int argc, char **argv)
{
	struct settings settings = {
		.job.rounds = { .name = "explain", .timed = 10, .traced = 6, .anatomy = true },
	};
	int status = parse(argc, argv, &settings);

	settings.job.rounds.progress = isatty(STDERR_FILENO) && !settings.display.quiet;
	if (!status && settings.help) {
		fputs(usage, stdout);
		fputs(report_options_help, stdout);
		status = finish_stdout("explain");
	} else if (!status && settings.display.counters) {
		status = print_run("explain", NULL, &settings.display, stdout);
	} else if (!status) {
		status = explain(&settings);
	}
	report_options__free(&settings.display);
	free(settings.job.pids);
	free(settings.job.path);
	free(settings.job.against);
	return status;
}
