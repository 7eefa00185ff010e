// SPDX-License-Identifier: GPL-2.0-or-later
/* Below a brief report: the command that answers the question which this one leaves open. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/run/run_report.h"
#include "report/shown.h"
#include "report/words.h"

struct next_command {
	const char *question; /* NULL: nothing is left open */
	const char *words; /* of forktax, before those of the command */
};

static const struct next_command nothing = { NULL, NULL };
static const struct next_command how_binding_pays = { "see from how many forks on LD_BIND_NOW=1 pays:", "bindnow" };
static const struct next_command explain_start = { "see what the start does, and what would shorten it:",
						   "explain --startup" };
static const struct next_command explain_by_ebpf = {
	"see its page faults, main(), and what would shorten it (by eBPF, as root):", "explain --startup" };
static const struct next_command explain_fork = { "see what a fork costs, why, and what would help:", "explain" };

static bool advises_binding(const struct anatomy *anatomy)
{
	for (size_t i = 0; i < anatomy->advice_count; i++)
		if (!strcmp(anatomy->advice[i].rule, "A1"))
			return true;
	return false;
}

/* Without eBPF the faults of forks are not known, and `explain` of forks refuses. */
static struct next_command after_counting(const struct run *run)
{
	if (!run__has(run, HAS_LIFE))
		return nothing;
	if (!run->totals[LIFE_FORKS])
		return explain_start;
	return run__has(run, HAS_FAULT_CLASSES) ? explain_fork : nothing;
}

static struct next_command next_of(const struct run *run, const struct report_options *options)
{
	if (!run->command_count || run__is_attached(run) || run->signal)
		return nothing;
	if (report__is_explained(run))
		return advises_binding(run->anatomy) ? how_binding_pays : nothing;
	if (run->start && options->start_alone)
		return explain_by_ebpf;
	return run->start ? nothing : after_counting(run);
}

void report__print_next(const struct run *run, const struct report_options *options,
			const struct table_output *output)
{
	const struct next_command next = next_of(run, options);
	char *command, *line;

	if (!next.question || options->quiet || output->style != TABLE_TEXT ||
	    !report__is_brief(options))
		return;
	command = words__command(run->command);
	line = text__of("forktax %s %s%s", next.words, *command == '-' ? "-- " : "", command);
	putc('\n', output->stream);
	wrap__print("Next:", next.question, 0, strlen("Next: "), output);
	wrap__command(line, 2, output);
	free(command);
	free(line);
}
