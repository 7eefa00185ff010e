// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bindnow/bindnow.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "format/html/html_page.h"
#include "format/wrap.h"
#include "report/bindnow/bindnow_report.h"
#include "report/compare/comparison_report.h"
#include "report/picture/pictures.h"
#include "report/shown.h"

static void print_line(char *text, const struct table_output *output)
{
	autofree char *safe = table_output__safe(output, text);

	fprintf(output->stream, "%s\n", safe);
	free(text);
}

/* The largest loss of a run. */
static uint64_t worst_of(const struct compare_column *column, enum loss loss)
{
	uint64_t worst = 0;

	for (size_t i = 0; i < column->run_count; i++) {
		if (column->runs[i]->integrity.losses[loss] > worst)
			worst = column->runs[i]->integrity.losses[loss];
	}
	return worst;
}

static void print_losses(const struct compare_column *column, const struct table_output *output)
{
	char *line = text__of("NOT EXACT: %s:", column->label);

	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		uint64_t worst = worst_of(column, loss);

		if (worst)
			text__replace(&line, "%s %s %" PRIu64, line, loss_counters[loss].header, worst);
	}
	print_line(line, output);
}

static void print_table(const struct comparison *comparison, const struct report_options *options,
			const struct table_output *output)
{
	struct table *table = table__new(NULL);

	table__may_continue_below(table);
	compare_table__add_columns(table, comparison);
	compare_table__add_files(table, comparison);
	compare_table__add_counts(table, comparison, options);
	compare_table__add_times(table, comparison);
	table__finish(table, output);
	putc('\n', output->stream);
}

/* "10" or "2 to 10": columns of saved runs may have fewer than the others. */
static char *range(size_t min, size_t max)
{
	return min == max ? text__of("%zu", min) : text__of("%zu to %zu", min, max);
}

static bool has_starts(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		if (comparison->rows[i].ratios)
			return true;
	return false;
}

static bool is_of_one_measurement(const struct comparison *comparison)
{
	for (size_t i = 1; i < comparison->column_count; i++)
		if (comparison->columns[i].measurement != comparison->columns[0].measurement)
			return false;
	return true;
}

/* Fewest and most runs of the columns: of saved ones there may be fewer. */
struct runs {
	size_t traced[2], timed[2];
};

static struct runs runs_of(const struct comparison *comparison)
{
	struct runs runs = { { SIZE_MAX, 0 }, { SIZE_MAX, 0 } };

	for (size_t i = 0; i < comparison->column_count; i++) {
		const size_t traced = comparison->columns[i].run_count;
		const size_t timed = comparison->columns[i].sample_count;

		runs.traced[0] = traced < runs.traced[0] ? traced : runs.traced[0];
		runs.traced[1] = traced > runs.traced[1] ? traced : runs.traced[1];
		runs.timed[0] = timed < runs.timed[0] ? timed : runs.timed[0];
		runs.timed[1] = timed > runs.timed[1] ? timed : runs.timed[1];
	}
	return runs;
}

static char *clock_words(const struct comparison *comparison)
{
	const char *clock = comparison->by_cpu ? "CPU time decides." :
			    "Wall time decides, because a command waits, uses several CPUs, or its CPU time is "
			    "unknown.";
	const uint64_t seed = comparison->columns[0].seed;

	return seed && is_of_one_measurement(comparison)
		? text__of("%s Their order: FORKTAX_SEED=%" PRIu64 ".", clock, seed) : text__of("%s", clock);
}

/* In one line. */
static void print_runs(const struct comparison *comparison, const struct table_output *output)
{
	const struct runs runs = runs_of(comparison);
	autofree char *traced = range(runs.traced[0], runs.traced[1]), *timed = range(runs.timed[0], runs.timed[1]);
	const bool is_one = is_of_one_measurement(comparison);
	autofree char *same = compare_words__same(comparison);
	char *text = text__of("%s%s%s%s%s of each%s%s%s.%s%s", runs.traced[1] ? traced : "",
			      runs.traced[1] ? " traced" : "", runs.traced[1] && runs.timed[1] ? ", " : "",
			      runs.timed[1] ? timed : "", runs.timed[1] ? " timed" : "",
			      is_one ? ", alternating" : "",
			      runs.traced[1] > 1 ? "; medians, ~ where runs differ" : "",
			      is_one || !(runs.timed[1] || has_starts(comparison)) ? "" : "; ratios are of medians",
			      same ? " " : "", same ? same : "");

	putc('\n', output->stream);
	wrap__labelled("Runs:", text, output);
}

static void print_method(const struct comparison *comparison, const struct table_output *output)
{
	autofree char *same = compare_words__same(comparison);
	const struct runs runs = runs_of(comparison);
	autofree char *traced = range(runs.traced[0], runs.traced[1]), *timed = range(runs.timed[0], runs.timed[1]);
	autofree char *clock = clock_words(comparison);

	if (runs.traced[1])
		wrap__labelled(NULL, text__of("Counts: %s traced run%s per column; median (min..max) where they "
					      "differ; - not known; rows of zeros left out.",
					      traced, number__plural(runs.traced[1], "", "s")), output);
	if (has_starts(comparison))
		wrap__labelled(NULL, text__of("Starts: the first image of these runs, in a fixed memory layout. "
					      "Their times contain what recording each call and fault takes."),
			       output);
	if (runs.timed[1])
		wrap__labelled(NULL, text__of("Times: %s untraced run%s per column, alternating, not pinned by "
					      "forktax, after a warm-up. %s%s", timed,
					      number__plural(runs.timed[1], "", "s"), clock,
					      is_of_one_measurement(comparison) ? "" :
					      " Columns that were measured at different times have no rounds in "
					      "common: their ratios are of medians."), output);
	if (same)
		wrap__labelled(NULL, text__of("%s", same), output);
}

static void print_reasons(const struct comparison *comparison, const struct table_output *output)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];

		if (column->facts_reason)
			print_line(text__of("%s: cannot read %s: %s", column->label,
						     column->path ? column->path : "its file",
						     column->facts_reason),
					    output);
	}
}

/* With these nothing was lost, but a class says less than its name. */
static void explain_others(const struct compare_column *column, const struct table_output *output)
{
	uint64_t busy = worst_of(column, LOSS_VMA_BUSY);

	if (busy)
		print_line(text__of("%s: %s %" PRIu64 ": %s", column->label,
					     loss_counters[LOSS_VMA_BUSY].header, busy,
					     loss_counters[LOSS_VMA_BUSY].definition),
				    output);
}

static void print_all_losses(const struct comparison *comparison, const struct table_output *output)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];

		if (!compare_column__is_exact(column))
			print_losses(column, output);
		explain_others(column, output);
	}
}

static void print_warning(const struct comparison *comparison, const struct table_output *output)
{
	char *disturbance = comparison__disturbance(comparison);

	if (disturbance)
		wrap__labelled("Warning:", disturbance, output);
}

/* What is said of the runs besides their figures. */
static void print_runs_said(const struct comparison *comparison, const struct report_options *options,
			    const struct table_output *output)
{
	char *outcome = compare_words__outcome(comparison), *varied = compare_words__varied(comparison, options);

	if (outcome)
		wrap__labelled(NULL, outcome, output);
	if (varied)
		wrap__labelled(NULL, varied, output);
}

/* Which is faster; of a comparison of bindnow, whether binding at start pays. */
static void print_sentences(const struct comparison *comparison, const struct table_output *output)
{
	const bool is_bindnow = bindnow__is_of(comparison);
	char *answer = is_bindnow || output->page ? NULL : compare_words__answer(comparison);
	char *bind_now = is_bindnow ? NULL : compare_words__bind_now(comparison);

	if (is_bindnow)
		bindnow_report__print_answer(comparison, output);
	if (answer)
		wrap__labelled(NULL, answer, output);
	if (bind_now)
		wrap__labelled(NULL, bind_now, output);
}

static void print_answer(const struct comparison *comparison, const struct report_options *options,
			 const struct table_output *output)
{
	print_sentences(comparison, output);
	print_runs_said(comparison, options, output);
	if (!options->quiet)
		print_warning(comparison, output);
}

/* How many runs of each kind; what could not be read. */
static void print_basis(const struct comparison *comparison, const struct report_options *options,
			const struct table_output *output)
{
	if (options->quiet)
		return;
	print_reasons(comparison, output);
	print_method(comparison, output);
}

static void print_page(const struct comparison *comparison, const struct report_options *options,
		       const struct table_output *output)
{
	print_sentences(comparison, output);
	print_runs_said(comparison, options, output);
	picture__compare(comparison, output);
	compare__print_changed(comparison, options, output); /* what matters most comes first */
	html_page__heading(output->page, "All figures");
	print_table(comparison, options, output);
	print_basis(comparison, options, output);
	print_warning(comparison, output);
}

/* Below the phases of starts, the figures of all leave their place to them: the sentence has the main ones. */
static void print_brief(const struct comparison *comparison, const struct report_options *options,
			const struct table_output *output)
{
	if (has_starts(comparison))
		compare_starts__print(comparison, output);
	if (!has_starts(comparison) || comparison->column_count <= 2)
		compare_brief__print(comparison, options, has_starts(comparison), output);
	if (!has_starts(comparison))
		compare_differences__print(comparison, options, output);
	if (!options->quiet)
		print_runs(comparison, output);
}

static bool shows(enum section_id id, const struct report_options *options, const struct table_output *output)
{
	return section__is_shown(id, IN_FULL, options);
}

/* With the figures of all, times need no table of their own. */
static void print_sections(const struct comparison *comparison, const struct report_options *options,
			   const struct table_output *output)
{
	const bool counts = shows(SHOW_COUNTS, options, output);

	if (counts || !shows(SHOW_TIMES, options, output))
		putc('\n', output->stream);
	if (shows(SHOW_PHASES, options, output) && has_starts(comparison))
		compare_starts__print(comparison, output);
	if (shows(SHOW_TIMES, options, output) && !counts)
		compare_brief__print(comparison, options, true, output);
	if (counts)
		print_table(comparison, options, output);
	if (shows(SHOW_DIFFERENCES, options, output))
		compare__print_changed(comparison, options, output);
	print_basis(comparison, options, output);
}

static void print_for_people(const struct comparison *comparison, const struct report_options *options,
			     const struct table_output *output)
{
	print_all_losses(comparison, output);
	if (output->page) {
		print_page(comparison, options, output);
		return;
	}
	print_answer(comparison, options, output);
	if (report__is_brief(options))
		print_brief(comparison, options, output);
	else
		print_sections(comparison, options, output);
}

void comparison_report__print(const struct comparison *comparison, const struct report_options *options,
			      const struct table_output *output)
{
	if (table_output__view(output) == VIEW_DATA)
		table__finish(compare__figures(comparison, options), output);
	else
		print_for_people(comparison, options, output);
}
