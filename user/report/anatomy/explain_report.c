// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "analysis/forks/fork_breakdowns.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/advice/best_advice.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/picture/pictures.h"
#include "report/report_sections.h"
#include "report/run/run_report.h"
#include "report/shown.h"
#include "report/start/start_report.h"
#include "report/tree/tree_times_report.h"

enum { MOST_ON_PAGE = 12 }; /* groups */
enum { CHILD_ROWS = 20, PARENT_ROWS = 5 };
enum { CHILD_STACKS = 6, PARENT_STACKS = 3 };
enum { STARTUP_PARTS = 8, CHILD_PARTS = 12 };

bool report__is_explained(const struct run *run)
{
	return run->anatomy && (run->anatomy->verdict || run->anatomy->advice_count);
}

/* Children of large programs fault on hundreds of pages, none of which stands out. */
static bool leaves_most_out(const struct run *run, const struct report_options *options, uint32_t group)
{
	struct row_selection selection = row_selection__of(
		run->anatomy, group, PHASE_CHILD, report__row_order(options), CHILD_ROWS);
	bool result = run->anatomy->durations ? 2 * selection.left_out_ns > selection.ns
					      : 2 * selection.left_out_faults > selection.faults;

	row_selection__free(&selection);
	return result;
}

static void print_faults(const struct run *run, const struct report_options *options, uint32_t group, enum phase phase,
			 size_t rows, size_t stacks, const struct table_output *output)
{
	const struct room room = room__of(options, 0, rows), parts = room__of(options, 0, CHILD_PARTS);

	table__show(report__anatomy(run, options, group, phase, room), output);
	if (phase == PHASE_CHILD && leaves_most_out(run, options, group))
		table__show(report__parts_by_section(run, group, phase, parts), output);
	table__show(report__stack_table(run, group, phase, room__of(options, 0, stacks)), output);
}

static void explain_group(const struct run *run, const struct report_options *options,
			  const struct fork_breakdown *breakdown, const struct table_output *output)
{
	const struct room parts = room__of(options, 0, STARTUP_PARTS);
	uint32_t group = breakdown->group;

	if (!output->page)
		report__print_sample(run, group, output);
	print_faults(run, options, group, PHASE_CHILD, CHILD_ROWS, CHILD_STACKS, output);
	if (output->page) /* in the section of the faults */
		report__print_sample(run, group, output);
	print_faults(run, options, group, PHASE_PARENT, PARENT_ROWS, PARENT_STACKS, output);
	table__show(report__parts_by_section(run, group, PHASE_EXEC, parts), output);
	picture__waterfall(run, group, output);
	table__show(report__fork_times(run, group), output);
	report__print_fork_parent(run, group, output);
}

/*
 * How many groups a section explains: those that get advice, but at least one; the answer explains one, a section that
 * --show names all.
 */
static size_t explained(enum section_id section, const struct fork_breakdowns *breakdowns,
			const struct report_options *options, const struct table_output *output)
{
	if (output->page)
		return breakdowns->count < MOST_ON_PAGE ? breakdowns->count : MOST_ON_PAGE;
	if (options->show[section])
		return breakdowns->count;
	if (!breakdowns->worthy || report__is_brief(options))
		return breakdowns->count > 0;
	return breakdowns->worthy;
}

/* What follows the title of the last causes: " (1 more: --show=causes)"; to be freed. */
static char *more_groups(size_t more, const struct table_output *output)
{
	if (!more)
		return text__of("%s", "");
	return output->page ? text__of(" (%s)", quantity__count(more, "more group", "more groups").text)
			    : text__of(" (%zu more: --show=causes)", more);
}

/* Where the time of a fork goes, on the clock. The answer has it only if nothing else is to be said of the run. */
void report__print_clock(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	const bool says_more = report__is_tree(run) || run->advice_count;
	struct fork_breakdowns breakdowns;
	size_t shown;

	if (!section__if_fork_causes(run, options) || (says_more && report__is_brief(options)))
		return;
	breakdowns = fork_breakdowns__of(run);
	shown = explained(SHOW_CLOCK, &breakdowns, options, output);
	for (size_t i = 0; i < shown; i++)
		time_bar__print(run, &breakdowns.breakdowns[i], options, output);
	fork_breakdowns__free(&breakdowns);
}

void report__print_causes(const struct run *run, const struct report_options *options,
			  const struct table_output *output)
{
	struct fork_breakdowns breakdowns = fork_breakdowns__of(run);
	const size_t shown =
		section__if_fork_causes(run, options) ? explained(SHOW_CAUSES, &breakdowns, options, output) : 0;
	char *more = more_groups(breakdowns.count - shown, output);

	for (size_t i = 0; i < shown; i++)
		fork_causes__print(run, options, &breakdowns.breakdowns[i], i + 1 < shown ? "" : more, output);
	free(more);
	fork_breakdowns__free(&breakdowns);
}

/* The faults of the explained groups, and all tables of their forks. */
void report__explain_groups(const struct run *run, const struct report_options *options,
			    const struct table_output *output)
{
	struct fork_breakdowns breakdowns = fork_breakdowns__of(run);
	struct report_options ranked = *options;
	const size_t shown = explained(SHOW_FORKS, &breakdowns, options, output);

	ranked.by_time = true;
	for (size_t i = 0; i < shown; i++)
		explain_group(run, &ranked, &breakdowns.breakdowns[i], output);
	fork_breakdowns__free(&breakdowns);
}

/* Of a command that forks: what its forks cost. Returns whether anything is said. */
static bool print_fork_answer(const struct run *run, const struct report_options *options,
			      const struct table_output *output)
{
	if (!run->anatomy->verdict || !section__if_forks(run, options))
		return false;
	wrap__print(NULL, run->anatomy->verdict, 0, 0, output);
	return true;
}

/*
 * The answer comes first: what takes the time, what would help most, and what a start and a fork cost. Where forks take
 * the time, they are what comes first. Then what was run, and how it ended.
 */
void report__print_answer(const struct run *run, const struct report_options *options,
			  const struct table_output *output)
{
	bool answered;

	report__print_exactness(run, output);
	answered = report__print_best_evidence(run, output) || report__print_bill_answer(run, options, output);
	if (answered)
		report__print_best_advice(run, options, output);
	if (report__print_start_answer(run, options, false, output)) {
		if (!answered)
			report__print_best_advice(run, options, output);
		answered = true;
	}
	if (print_fork_answer(run, options, output)) {
		if (!answered)
			report__print_best_advice(run, options, output);
		answered = true;
	}
	if (section__unless_start(run, options))
		report__print_further_advice(run, options, output);
	report__print_outcome(run, options, answered, output);
}

static const struct section explain_sections[] = {
#include "report/anatomy/explain_sections.def"
};

void report__explain(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	enum { PAGE_WIDTH = 80 };
	struct table_output page = *output;

	/* Without a terminal the answer fits a page, too. */
	if (!page.width && report__is_brief(options))
		page.width = PAGE_WIDTH;
	PRINT_SECTIONS(explain_sections, run, options, &page);
}
