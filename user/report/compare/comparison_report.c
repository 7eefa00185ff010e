// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/html/html_page.h"
#include "report/compare/comparison_report.h"
#include "report/picture/pictures.h"

void compare__print_line(char *text, const struct table_output *output)
{
	char *safe = table_output__safe(output, text);

	fprintf(output->stream, "%s\n", safe);
	free(safe);
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
			text__replace(&line, "%s %s %" PRIu64, line, loss_counters[loss].header,
				      worst);
	}
	compare__print_line(line, output);
}

static void print_table(const struct comparison *comparison, const struct compare_view *view,
			const struct table_output *output)
{
	struct table *table = table__new(NULL);

	table__may_continue_below(table);
	table__column(table, "", COLUMN_TEXT);
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];
		char *label = text__of("%s%s", column->label,
				       compare_column__is_exact(column) ? "" : "*");

		table__column(table, label, COLUMN_COUNT);
		free(label);
	}
	compare_table__add_files(table, comparison);
	compare_table__add_counts(table, comparison, view);
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

static void print_method(const struct comparison *comparison, const struct table_output *output)
{
	size_t runs[2] = { SIZE_MAX, 0 }, samples[2] = { SIZE_MAX, 0 };
	char *run_text, *sample_text, *disturbance;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];

		runs[0] = column->run_count < runs[0] ? column->run_count : runs[0];
		runs[1] = column->run_count > runs[1] ? column->run_count : runs[1];
		samples[0] = column->sample_count < samples[0] ? column->sample_count : samples[0];
		samples[1] = column->sample_count > samples[1] ? column->sample_count : samples[1];
	}
	disturbance = comparison__disturbance(comparison);
	run_text = range(runs[0], runs[1]);
	sample_text = range(samples[0], samples[1]);
	if (runs[1])
		fprintf(output->stream,
			"Counts: %s traced run%s per column; median (min..max) where they "
			"differ; - not known; rows of zeros left out.\n",
			run_text, runs[1] == 1 ? "" : "s");
	if (has_starts(comparison))
		fprintf(output->stream,
			"Starts: the first image of these runs, in a fixed memory layout. Their times "
			"contain what recording each call and fault takes.\n");
	if (samples[1])
		fprintf(output->stream,
			"Times: %s untraced run%s per column, in turns, not pinned by forktax, "
			"after one warm-up.%s\n",
			sample_text, samples[1] == 1 ? "" : "s",
			is_of_one_measurement(comparison) ? "" :
			" Columns that were measured at different times have no rounds in common: their "
			"ratios are of medians.");
	if (disturbance)
		compare__print_line(disturbance, output);
	free(run_text);
	free(sample_text);
}

static void print_reasons(const struct comparison *comparison, const struct table_output *output)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];

		if (column->facts_reason)
			compare__print_line(text__of("%s: cannot read %s: %s", column->label,
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
		compare__print_line(text__of("%s: %s %" PRIu64 ": %s", column->label,
					     loss_counters[LOSS_VMA_BUSY].header, busy,
					     loss_counters[LOSS_VMA_BUSY].definition),
				    output);
}

void compare__print_losses(const struct comparison *comparison, const struct table_output *output)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];

		if (!compare_column__is_exact(column))
			print_losses(column, output);
		explain_others(column, output);
	}
}

static void print_for_people(const struct comparison *comparison, const struct compare_view *view,
			     const struct table_output *output)
{
	compare__print_losses(comparison, output);
	picture__compare(comparison, output);
	if (output->page) { /* what matters most comes first */
		compare__print_moved(comparison, view, output);
		html_page__heading(output->page, "All figures");
	}
	print_table(comparison, view, output);
	if (!output->page)
		compare__print_moved(comparison, view, output);
	if (view->quiet)
		return;
	print_reasons(comparison, output);
	print_method(comparison, output);
}

void compare__print(const struct comparison *comparison, const struct compare_view *view,
		    const struct table_output *output)
{
	if (table_output__view(output) == VIEW_DATA)
		table__finish(compare__figures(comparison, view), output);
	else
		print_for_people(comparison, view, output);
}
