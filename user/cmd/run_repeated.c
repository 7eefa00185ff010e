// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_repeated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/print.h"
#include "elf/facts.h"
#include "launch/gate.h"
#include "launch/interrupt.h"
#include "resolve/resolve.h"

/* Of several runs there is no one run that these could show. */
static const char *of_one_run(const struct report_options *display)
{
	for (int form = 0; form < EXPORT_COUNT; form++)
		if (display->exports[form])
			return "an export";
	return display->per_child    ? "--per-child"
	       : display->tree	     ? "--tree"
	       : display->all_groups ? "--all-groups"
				     : NULL;
}

/* Recorded of each run, and saved; `forktax compare` shows what differs in it. */
static const char *of_saved_runs(const struct trace_request *request)
{
	return request->stacks	  ? "--stack-trace"
	       : request->anatomy ? "--anatomy"
	       : request->files	  ? "--files"
				  : NULL;
}

int repetition__check(const struct repetition *repetition, const struct trace_request *request,
		      const struct report_options *display)
{
	const char *one = request->find_shell ? "--lines" : request->tree ? "--tree-times" : of_one_run(display);
	const char *saved = of_saved_runs(request);

	if (!repetition->runs)
		return 0;
	if (trace_request__attaches(request))
		return print_error("run", EXIT_USAGE, "--runs repeats a command: it cannot repeat what -p traces");
	if (request->duration_ns)
		return print_error("run", EXIT_USAGE, "--runs and --duration exclude each other: a command that is "
						   "left running would run beside the next one");
	if (one)
		return print_error("run", EXIT_USAGE, "%s shows a single run: leave out --runs",
				   one);
	if (saved && !display->json)
		return print_error("run", EXIT_USAGE, "with --runs, %s needs --json: `forktax compare` shows "
						   "what differs between such files", saved);
	return 0;
}

int complain_untraced(enum trace_result result, char *message)
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

static int complain_failed(const struct repetition *repetition, const struct run *run, size_t number)
{
	if (run->signal)
		print_error("run", 0,
			    "%s was killed by signal %d (%s) in run %zu of %u; -i goes on",
			    run->command[0], run->signal, strsignal(run->signal), number,
			    repetition->runs);
	else
		print_error("run", 0, "%s exited with status %d in run %zu of %u; -i goes on",
			    run->command[0], run->status, number, repetition->runs);
	return run->signal ? die_like(run->signal) : run->status;
}

/* Traces it once more. Returns the exit status; 0: the run is kept, or a signal has come. */
static int trace_next(const struct repetition *repetition, const struct trace_request *request,
		      const struct report_options *display, struct compare_column *column,
		      struct interrupt *interrupt)
{
	struct run *run;
	char *message;
	const enum trace_result result = trace__run(request, &run, &message);
	int status = 0;

	if (result != TRACE_OK)
		return complain_untraced(result, message);
	if (interrupt__ended(interrupt, run->asked_by, 0)) {
		run__free(run); /* it was not whole */
		return 0;
	}
	if (!column->run_count && !display->quiet)
		warn_fallback("run", run);
	if ((run->status || run->signal) && !repetition->ignore_failure)
		status = complain_failed(repetition, run, column->run_count + 1);
	if (status) {
		run__free(run);
		return status;
	}
	column->runs[column->run_count++] = run;
	return 0;
}

static int trace_all(const struct repetition *repetition, const struct trace_request *request,
		     const struct report_options *display, struct compare_column *column, int *signal)
{
	struct trace_request each = *request;
	struct interrupt interrupt;
	int status = 0;

	interrupt__begin(&interrupt);
	each.mask = &interrupt.mask;
	while (column->run_count < repetition->runs && !status && !*signal) {
		status = trace_next(repetition, &each, display, column, &interrupt);
		*signal = interrupt__came(&interrupt);
	}
	interrupt__end(&interrupt);
	return status;
}

static struct compare_column *column_for(const struct repetition *repetition,
					 const struct trace_request *request)
{
	struct compare_column *column = checked_calloc(1, sizeof(*column));

	column->label = checked_strdup(text__file_name(request->argv[0]));
	column->command = text__copy_list(request->argv);
	column->path = gate__find(request->argv[0]);
	column->busy = NAN;
	column->runs = checked_calloc(repetition->runs, sizeof(struct run *));
	if (column->path)
		column->facts = elf_facts__read(column->path, &column->facts_reason);
	return column;
}

static int report(struct compare_column *column, const struct report_options *display)
{
	struct comparison *comparison;
	int status;

	for (size_t i = 0; i < column->run_count; i++)
		resolve__run(column->runs[i]);
	comparison = comparison__new(column, 1, 0);
	status = print_comparison("run", comparison, display, stderr);
	comparison__free(comparison);
	return status;
}

/* The runs before the signal were whole. */
static int print_interrupted(const struct repetition *repetition, size_t done)
{
	if (!done)
		return print_error("run", 0, "interrupted before a run was complete");
	return print_error("run", 0, "interrupted after %zu of %u runs", done, repetition->runs);
}

int repetition__run(const struct repetition *repetition, const struct trace_request *request,
		    const struct report_options *display)
{
	struct compare_column *column = column_for(repetition, request);
	int signal = 0, status = trace_all(repetition, request, display, column, &signal);

	if (signal)
		print_interrupted(repetition, column->run_count);
	if (!status && column->run_count)
		status = report(column, display);
	else
		compare_columns__free(column, 1);
	return signal ? die_like(signal) : status;
}
