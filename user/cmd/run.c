// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax run: trace a command, or running processes. */
#include <stdlib.h>
#include <unistd.h>

#include "analysis/names/enrich.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/print.h"
#include "source/source.h"
#include "source/trace.h"

struct run_settings {
	struct trace_request trace;
	struct attach_options attach;
	struct report_options display;
};

static const char *const fault_levels[] = {
	[FAULTS_TOTALS] = "totals",
	[FAULTS_CLASSES] = "classes",
	NULL,
};

static int take_linger(const struct option_row *row, void *field, const char *argument,
		       char **reason)
{
	if (argument)
		return option_seconds.take(row, field, argument, reason);
	*(uint64_t *)field = UINT64_MAX;
	return 0;
}

static const struct option_type option_linger = {
	.completes = "seconds",
	.take = take_linger,
	.optional = true,
};

#define TRACE_FIELD(member) FIELD(struct run_settings, trace.member)

static const struct option_row run_rows[] = {
	OPTION(0, "source", "SOURCE", &option_word, TRACE_FIELD(source),
	       "ebpf, strace, or auto (default): the first that may be used", .words = source_words),
	OPTION('T', "time", NULL, &option_flag, TRACE_FIELD(timed),
	       "measure how long each system call takes"),
	OPTION(0, "faults", "LEVEL", &option_word, TRACE_FIELD(fault_level),
	       "classes (default), or totals: the kernel's counts, for free", .words = fault_levels),
	OPTION(0, "anatomy", NULL, &option_flag, TRACE_FIELD(anatomy),
	       "record single faults of forked children, too: which page of what, by whose code, how "
	       "long"),
	OPTION('k', "stack-trace", NULL, &option_flag, TRACE_FIELD(stacks),
	       "--anatomy with the call stack of each fault, by frame pointers"),
	OPTION(0, "follow-daemons", "SECONDS", &option_linger, TRACE_FIELD(linger_ns),
	       "after the command's end wait for its descendants", .most = 1e9),
	OPTION(0, "no-aslr", NULL, &option_flag, TRACE_FIELD(no_aslr),
	       "fix the memory layout: fault counts repeat from run to run"),
	OPTION('u', "user", "USER", &option_user, TRACE_FIELD(user), "run the command as that user"),
	OPTION('f', NULL, NULL, &option_ignored, { 0 },
	       "accepted as in strace: children are always followed"),
	OPTION('c', NULL, NULL, &option_ignored, { 0 },
	       "accepted as in strace: the report always is a summary"),
	{ 0 },
};

static const struct option_set run_sets[] = {
	{ NULL, attach_rows, offsetof(struct run_settings, attach) },
	{ NULL, run_rows, 0 },
	{ NULL, display_rows, offsetof(struct run_settings, display) },
	{ 0 },
};

/* Checks what the words on the command line mean together. */
static int check_run(struct run_settings *settings, char **operands)
{
	int status = attach_options__check(&settings->attach, "run", operands);

	if (status)
		return status;
	settings->trace.argv = *operands ? operands : NULL;
	settings->trace.all_processes = settings->display.per_child || settings->display.tree;
	settings->trace.anatomy |= settings->trace.stacks;
	settings->trace.files = settings->display.files != FILES_UNASKED;
	settings->attach.notice = settings->display.quiet ? NULL : "run";
	attach_options__apply(&settings->attach, &settings->trace);
	return check_output("run", &settings->display, stderr);
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

static int trace(struct run_settings *settings)
{
	enum trace_result result;
	struct run *run;
	char *message;
	int status;

	result = trace__run(&settings->trace, &run, &message);
	if (result != TRACE_OK) {
		status = result == TRACE_COMMAND_MISSING ? EXIT_MISSING
			 : result == TRACE_COMMAND_REFUSED ? EXIT_REFUSED
							    : EXIT_FORKTAX;
		complain("run", 0, "%s", message ? message : "out of memory");
		free(message);
		return status;
	}
	if (!settings->display.quiet)
		say_second_choice("run", run);
	enrich__run(run);
	status = exit_status(run, print_run("run", run, &settings->display, stderr));
	run__free(run);
	return status;
}

static int run(struct run_settings *settings, char **operands)
{
	int status;

	if (settings->display.counters)
		return print_counters("run", &settings->display);
	status = check_run(settings, operands);
	return status ? status : trace(settings);
}

static int cmd_run(const struct command *command, int argc, char **argv)
{
	struct run_settings settings = { .trace.fault_level = FAULTS_SEEN };
	int status;

	if (options__parse(command, argc, argv, &settings, &status))
		status = run(&settings, argv + optind);
	report_options__free(&settings.display);
	attach_options__free(&settings.attach);
	return status;
}

const struct command run_command = {
	.name = "run",
	.summary = "count the system calls and page faults of a command and all its children",
	.synopsis = "[OPTIONS] [--] COMMAND [ARGUMENT]...\n[OPTIONS] -p PID [-p PID]...",
	.about = "Counts the system calls and page faults of a command and of every process it "
		 "forks. The report goes to stderr, or to the file of -o; the exit status is the "
		 "command's own.",
	.flag = FOR_RUN,
	.operands = "command",
	.sets = run_sets,
	.main = cmd_run,
};
