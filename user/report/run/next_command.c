// SPDX-License-Identifier: GPL-2.0-or-later
/* Below a brief report: the command that answers the question which this one leaves open, or tries its advice. */
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/advice/best_advice.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/run/run_report.h"
#include "report/shown.h"
#include "report/words.h"

struct next_command {
	const char *question; /* NULL: nothing is left open */
	const char *words; /* of forktax, before those of the command */
};

static const struct next_command nothing = { NULL, NULL };
static const struct next_command explain_start = { "see what the start does, and what would shorten it:",
						   "explain --startup" };
static const struct next_command explain_by_ebpf = {
	"see its page faults, main(), and what would shorten it (by eBPF, as root):", "explain --startup" };
static const struct next_command explain_fork = { "see what a fork costs, why, and what would help:", "explain" };

/* Without eBPF the faults of forks are not known, and `explain` of forks refuses. */
static struct next_command after_counting(const struct run *run)
{
	if (!run->totals[LIFE_FORKS])
		return explain_start;
	return run__has(run, HAS_FAULT_CLASSES) ? explain_fork : nothing;
}

static struct next_command next_of(const struct run *run, const struct report_options *options)
{
	if (!run->command_count || run__is_attached(run) || run->signal)
		return nothing;
	if (report__is_explained(run))
		return nothing;
	if (run->start && options->start_alone)
		return explain_by_ebpf;
	return run->start ? nothing : after_counting(run);
}

static const char *remedy_of_run(const struct run *run)
{
	const bool is_explained = report__is_explained(run) && run->command_count && !run__is_attached(run);

	return is_explained ? best_advice__way(run) : NULL;
}

/* "forktax compare 'bash x' 'LD_BIND_NOW=1 bash x'"; to be freed. */
static char *comparison_by_hand(const struct run *run, const char *remedy)
{
	autofree char *without = words__operand(NULL, run->command);
	autofree char *with = words__operand(remedy, run->command);

	return text__of("forktax compare %s %s", without, with);
}

static char *line_of(const struct run *run, const struct next_command *next)
{
	autofree char *command = words__command(run->command);

	return text__of("forktax %s %s%s", next->words, *command == '-' ? "-- " : "", command);
}

void report__print_next(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	const struct next_command next = next_of(run, options);
	const char *remedy = next.question ? NULL : remedy_of_run(run);
	autofree char *line = NULL, *question = NULL;

	if ((!next.question && !remedy) || options->quiet || output->style != TABLE_TEXT || !report__is_brief(options))
		return;
	question = remedy ? text__of("try %s by hand:", remedy) : text__of("%s", next.question);
	line = remedy ? comparison_by_hand(run, remedy) : line_of(run, &next);
	putc('\n', output->stream);
	wrap__print("Next:", question, 0, strlen("Next: "), output);
	wrap__command(line, 2, output);
}
