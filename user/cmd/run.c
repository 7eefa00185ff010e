// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax run: trace a command, or processes that run already. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/names/enrich.h"
#include "cmd/attach_options.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "source/trace.h"

static const char usage[] =
	"usage: forktax run [OPTIONS] [--] COMMAND [ARGUMENT]...\n"
	"       forktax run [OPTIONS] -p PID [-p PID]...\n\n"
	"Counts the system calls and page faults of a command and of every process it forks.\n"
	"The report goes to stderr, or to the file of -o; the exit status is the command's own.\n\n"
	"  -p, --attach=PID[,PID]...  trace running processes, all their threads, until Ctrl-C; a\n"
	"                             script that runs it in its background ends it with SIGTERM,\n"
	"                             because shells let such jobs ignore SIGINT\n"
	"      --ready-fd=N           with -p: write \"ready\" to descriptor N when counting has begun\n"
	"  -T, --time                 measure how long each system call takes\n"
	"      --faults=LEVEL         classes (default), or totals: the kernel's counts, for free\n"
	"      --anatomy              record single faults of forked children, too: which page of\n"
	"                             what, by whose code, how long\n"
	"      --duration=SECONDS     stop after that time; the command is left running\n"
	"      --follow-daemons[=SECONDS]\n"
	"                             after the command's end wait for its descendants\n"
	"      --no-aslr              fix the memory layout: fault counts repeat from run to run\n"
	"  -u, --user=USER            run the command as that user\n"
	"  -f, -c                     accepted as in strace: children are always followed, and\n"
	"                             the report always is a summary\n";

struct options {
	struct trace_request trace;
	struct report_options report;
	struct attach_notice notice;
	int32_t *pids;
	bool help;
};

enum { OPTION_FAULTS = 0x2000, OPTION_ANATOMY, OPTION_DURATION, OPTION_FOLLOW, OPTION_NO_ASLR,
       OPTION_READY_FD };

/* Takes one option of run's own. Returns NULL, or what is wrong with it. */
static const char *take(struct options *options, int option, const char *argument)
{
	struct trace_request *trace = &options->trace;

	switch (option) {
	case 'p':
		return parse_pids(argument, &options->pids, &trace->pid_count)
			       ? NULL
			       : "-p wants a process id";
	case 'T':
		trace->timed = true;
		return NULL;
	case 'u':
		trace->user = argument;
		return NULL;
	case 'f':
	case 'c':
		return NULL;
	case OPTION_FAULTS:
		trace->fault_level = strcmp(argument, "totals") ? FAULTS_CLASSES : FAULTS_TOTALS;
		return !strcmp(argument, "totals") || !strcmp(argument, "classes")
			       ? NULL
			       : "--faults wants classes or totals";
	case OPTION_ANATOMY:
		trace->anatomy = true;
		return NULL;
	case OPTION_DURATION:
		return parse_seconds(argument, &trace->duration_ns)
			       ? NULL
			       : "--duration wants seconds above zero";
	case OPTION_FOLLOW:
		trace->linger_ns = UINT64_MAX;
		return !argument || parse_seconds(argument, &trace->linger_ns)
			       ? NULL
			       : "--follow-daemons wants seconds above zero";
	case OPTION_NO_ASLR:
		trace->no_aslr = true;
		return NULL;
	case OPTION_READY_FD:
		return parse_ready_fd(argument, &options->notice.fd)
			       ? NULL
			       : READY_FD_PROBLEM;
	default: /* 'h' */
		options->help = true;
		return NULL;
	}
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option long_options[] = {
		REPORT_LONG_OPTIONS,
		{ "attach", required_argument, NULL, 'p' },
		{ "time", no_argument, NULL, 'T' },
		{ "user", required_argument, NULL, 'u' },
		{ "faults", required_argument, NULL, OPTION_FAULTS },
		{ "anatomy", no_argument, NULL, OPTION_ANATOMY },
		{ "duration", required_argument, NULL, OPTION_DURATION },
		{ "follow-daemons", optional_argument, NULL, OPTION_FOLLOW },
		{ "no-aslr", no_argument, NULL, OPTION_NO_ASLR },
		{ "ready-fd", required_argument, NULL, OPTION_READY_FD },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *problem;
	char *message;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:" REPORT_SHORT_OPTIONS "p:Tu:fch", long_options,
				     NULL)) >= 0) {
		switch (report_options__take(&options->report, option, optarg, &message)) {
		case OPTION_TAKEN:
			continue;
		case OPTION_BAD:
			complain("run", 0, "%s", message);
			free(message);
			return EXIT_USAGE;
		case OPTION_FOREIGN:
			break;
		}
		if (option == '?' || option == ':')
			return complain_option("run", option, argv);
		problem = take(options, option, optarg);
		if (problem)
			return complain("run", EXIT_USAGE, "%s", problem);
	}
	if (options->help || options->report.counters)
		return 0;
	options->trace.argv = options->trace.pid_count ? NULL : argv + optind;
	if (options->trace.pid_count && optind < argc)
		return complain("run", EXIT_USAGE, "give a command or -p, not both");
	if (!options->trace.pid_count && optind >= argc)
		return complain("run", EXIT_USAGE, "give a command, or a process with -p");
	if (!options->trace.pid_count && options->notice.fd)
		return complain("run", EXIT_USAGE, "--ready-fd goes with -p");
	return 0;
}

static int exit_status(const struct run *run, int printed)
{
	if (printed == EXIT_FORKTAX)
		return printed;
	if (run->signal || run->stopped_by)
		return die_like(run->signal ? run->signal : run->stopped_by);
	if (run->attached_count || run->status <= 0)
		return printed;
	return run->status;
}

static int trace(struct options *options)
{
	enum trace_result result;
	struct run *run;
	char *message;
	int status;

	result = trace__run(&options->trace, &run, &message);
	if (result != TRACE_OK) {
		status = result == TRACE_COMMAND_MISSING ? EXIT_MISSING
			 : result == TRACE_COMMAND_REFUSED ? EXIT_REFUSED
							    : EXIT_FORKTAX;
		complain("run", 0, "%s", message ? message : "out of memory");
		free(message);
		return status;
	}
	enrich__run(run);
	status = exit_status(run, print_run("run", run, &options->report, stderr));
	run__free(run);
	return status;
}

int cmd_run(int argc, char **argv)
{
	struct options options = { .trace.fault_level = FAULTS_CLASSES };
	char *reason;
	int status;

	status = parse(argc, argv, &options);
	options.trace.pids = options.pids;
	options.notice.name = options.report.quiet ? NULL : "run";
	options.trace.on_ready = attach_notice__give;
	options.trace.ready_context = &options.notice;
	options.trace.all_processes = options.report.per_child || options.report.tree;
	if (!status && options.help) {
		fputs(usage, stdout);
		fputs(report_options_help, stdout);
		status = finish_stdout("run");
	} else if (!status && options.report.counters) {
		status = print_run("run", NULL, &options.report, stdout);
	} else if (!status && options.report.path &&
		   output__check(options.report.path, &reason)) {
		status = complain("run", EXIT_FORKTAX, "%s", reason);
		free(reason);
	} else if (!status) {
		status = trace(&options);
	}
	report_options__free(&options.report);
	free(options.pids);
	return status;
}
