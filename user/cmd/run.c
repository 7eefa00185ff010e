// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax run: trace a command, or running processes. */
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "elf/shell.h"
#include "report/shown.h"
#include "resolve/resolve.h"
#include "source/privileges.h"
#include "source/source.h"
#include "source/trace.h"

struct run_settings {
	struct trace_request trace;
	struct attach_options attach;
	bool lines;
	struct report_options display;
};

static const char *const fault_levels[] = {
	[FAULTS_TOTALS] = "totals",
	[FAULTS_CLASSES] = "classes",
	NULL,
};

static int take_linger(const struct option_row *row, void *field, const char *argument, char **reason)
{
	if (argument)
		return option_time.take(row, field, argument, reason);
	*(uint64_t *)field = UINT64_MAX;
	return 0;
}

static const struct option_type option_linger = {
	.completes = "time",
	.take = take_linger,
	.optional = true,
};

#define TRACE_FIELD(member) FIELD(struct run_settings, trace.member)

static const struct option_row run_rows[] = {
	OPTION(0, "source", "SOURCE", &option_word, TRACE_FIELD(source),
	       "trace by ebpf, by strace, or auto (default: ebpf if permitted)", .words = source_words),
	OPTION('T', "time", NULL, &option_flag, TRACE_FIELD(timed), "measure how long each system call takes"),
	OPTION(0, "faults", "LEVEL", &option_word, TRACE_FIELD(fault_level),
	       "count page faults by class (classes, the default), or only their total (totals: no "
	       "overhead)",
	       .words = fault_levels),
	OPTION(0, "anatomy", NULL, &option_flag, TRACE_FIELD(anatomy),
	       "record every page fault of children: address, code, duration"),
	OPTION('k', "stack-trace", NULL, &option_flag, TRACE_FIELD(stacks),
	       "record the call stack of each fault, by frame pointers; implies --anatomy", .implies = "anatomy"),
	OPTION(0, "lines", NULL, &option_flag, FIELD(struct run_settings, lines),
	       "count forks by line of the bash script"),
	OPTION(0, "tree-times", NULL, &option_flag, TRACE_FIELD(tree),
	       "sum up by program what the CPU time of all processes is spent on"),
	OPTION(0, "follow-daemons", "TIME", &option_linger, TRACE_FIELD(linger_ns),
	       "keep counting descendants after the command exits", .most = 1e9),
	OPTION(0, "no-aslr", NULL, &option_flag, TRACE_FIELD(no_aslr),
	       "disable ASLR, so that fault counts repeat from run to run"),
	OPTION('u', "user", "USER", &option_user, TRACE_FIELD(user), "run the command as that user"),
	{ 0 },
};

static const struct option_set run_sets[] = {
	{ NULL, attach_rows, offsetof(struct run_settings, attach) },
	{ NULL, run_rows, 0 },
	{ NULL, display_rows, offsetof(struct run_settings, display) },
	{ 0 },
};

/* The options of what only eBPF records, as far as they were given: "-k, --lines"; to be freed. */
static char *words_for_ebpf(const struct trace_request *request)
{
	const struct {
		const char *words;
		bool given;
	} options[] = {
		{ "-k", request->stacks },
		{ "--anatomy", request->anatomy && !request->stacks },
		{ "--lines", request->find_shell },
		{ "--tree-times", request->tree },
	};
	char *words = text__of("%s", "");

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (options[i].given)
			text__replace(&words, "%s%s%s", words, *words ? ", " : "", options[i].words);
	return words;
}

/* Complains of privileges that only these options need: trace__run() does not know them. */
static int check_privileges(const struct trace_request *request)
{
	struct trace_request plain = *request;
	const char *missing = trace__missing_privileges(request);
	autofree char *lacking = NULL, *words = NULL;

	plain.anatomy = plain.stacks = plain.tree = false;
	plain.find_shell = NULL;
	if (!missing || trace__missing_privileges(&plain))
		return 0;
	lacking = privileges__lacking(missing);
	words = words_for_ebpf(request);
	print_error("run", 0, "%s; or leave out %s, to count by strace", lacking, words);
	return EXIT_FORKTAX;
}

static int check_together(const struct run_settings *settings)
{
	const struct trace_request *trace = &settings->trace;
	const bool totals = trace->fault_level == FAULTS_TOTALS;
	const struct {
		bool is_wrong;
		const char *complaint;
	} rules[] = {
		{ trace->tree && !trace->argv,
		  "--tree-times needs a command: when what runs was created is not known" },
		{ trace->user && !trace->argv, "-u goes with a command: what runs keeps its user" },
		{ trace->no_aslr && !trace->argv,
		  "--no-aslr goes with a command: what runs keeps its memory layout" },
		{ trace->linger_ns && !trace->argv,
		  "--follow-daemons goes with a command: what runs is counted until it ends" },
		{ trace->tree && totals, "--tree-times needs page faults: they show where a program begins" },
		{ trace->anatomy && totals, "-k and --anatomy need page faults by class, not --faults=totals" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].is_wrong)
			return print_error("run", EXIT_USAGE, "%s", rules[i].complaint);
	return 0;
}

/* Checks what the words on the command line mean together. */
static int check(void *of, char **operands)
{
	struct run_settings *settings = of;
	int status = attach_options__check(&settings->attach, "run", operands);

	if (status)
		return status;
	settings->trace.argv = *operands ? operands : NULL;
	settings->trace.all_processes = sections__need_processes(&settings->display);
	settings->trace.anatomy |= settings->trace.stacks;
	settings->trace.files = settings->display.files != FILES_UNASKED;
	settings->trace.find_shell = settings->lines ? elf_shell__find : NULL;
	settings->attach.notice = settings->display.quiet ? NULL : "run";
	attach_options__apply(&settings->attach, &settings->trace);
	status = check_together(settings);
	return status ? status : check_privileges(&settings->trace);
}

static int exit_status(const struct run *run, int printed, int *signal)
{
	if (printed == EXIT_FORKTAX)
		return printed;
	*signal = run->signal ? run->signal : run->stopped_by;
	if (run__is_attached(run) || run->status <= 0)
		return printed;
	return run->status;
}

static int complain_untraced(enum trace_result result, char *message)
{
	static const int statuses[] = {
		[TRACE_COMMAND_MISSING] = EXIT_MISSING,
		[TRACE_COMMAND_REFUSED] = EXIT_REFUSED,
		[TRACE_FAILED] = EXIT_FORKTAX,
	};

	print_error("run", 0, "%s", message ? message : "out of memory");
	free(message);
	return statuses[result];
}

static int trace(void *of, char **operands, int *signal)
{
	struct run_settings *settings = of;
	enum trace_result result;
	struct run *run;
	char *message;
	int status;

	result = trace__run(&settings->trace, &run, &message);
	if (result != TRACE_OK)
		return complain_untraced(result, message);
	if (!settings->display.quiet)
		warn_fallback("run", run);
	if (!settings->display.quiet && settings->trace.argv && settings->trace.no_aslr)
		warn_of_layout("run", settings->trace.argv[0]);
	resolve__run(run);
	status = exit_status(run, print_run("run", run, &settings->display, stderr), signal);
	run__free(run);
	return status;
}

static void release(void *of)
{
	attach_options__free(&((struct run_settings *)of)->attach);
}

/* Options of strace and perf stat that are something else here, or nothing. */
static const struct option_hint hints[] = {
	{ "-t --absolute-timestamps -r --relative-timestamps -y --decode-fds --instruction-pointer -C --summary -s "
	  "--string-limit -x --strings-in-hex --columns",
	  "a report is a summary, for single calls use strace (forktax report reads its log)" },
	{ "-w --summary-wall-clock", "-T measures the wall-clock time of calls" },
	{ "-E --env", "put NAME=VALUE before forktax: the command inherits it" },
	{ "--repeat -n --runs", "forktax compare 'COMMAND' runs a command several times, and says which counts vary" },
	{ 0 },
};

const struct command run_command = {
	.name = "run",
	.summary = "count system calls and page faults of a command and all its children",
	.synopsis = "[OPTIONS] [--] COMMAND [ARGUMENT]...\n[OPTIONS] -p PID [-p PID]...\n[OPTIONS] --cgroup PATH | -a",
	.about = "Counts system calls and page faults of a command and all its children. The "
		 "report goes to stderr, or to the file of -o. The exit status is that of the "
		 "command.",
	.flag = FOR_RUN,
	.hints = hints,
	.operands = "command",
	.sets = run_sets,
	.main = command__run,
	SETTINGS(struct run_settings, .trace.fault_level = FAULTS_SEEN),
	.prints_to_stderr = true,
	.check = check,
	.act = trace,
	.release = release,
};
