// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "format/escape.h"
#include "report/compare/compare_csv.h"
#include "report/compare/compare_grid.h"

void compare__print_line(const char *text, const struct table_output *output)
{
	char *safe = escape__text(text, output->utf8);

	fprintf(output->stream, "%s\n", safe);
	free(safe);
}

/* Of the run that has most. */
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
	char *line = compare__text("NOT EXACT: %s:", column->label);

	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		uint64_t worst = worst_of(column, loss);
		char *longer;

		if (!worst)
			continue;
		longer = compare__text("%s %s %" PRIu64, line, loss_counters[loss].header, worst);
		free(line);
		line = longer;
	}
	compare__print_line(line, output);
	free(line);
}

static size_t cell_width(const struct compare_grid *grid, size_t column)
{
	size_t width = escape__width(grid->comparison->columns[column].label);

	for (size_t i = 0; i < grid->row_count; i++) {
		const struct grid_row *row = &grid->rows[i];

		if (row->cells && escape__width(row->cells[column]) > width)
			width = escape__width(row->cells[column]);
	}
	return width;
}

static size_t header_width(const struct compare_grid *grid)
{
	size_t width = 0;

	for (size_t i = 0; i < grid->row_count; i++) {
		if (escape__width(grid->rows[i].header) > width)
			width = escape__width(grid->rows[i].header);
	}
	return width;
}

/* How many columns from `first` on fit beside the headers; at least one. */
static size_t columns_that_fit(const struct compare_grid *grid, size_t first, size_t limit)
{
	size_t count = grid->comparison->column_count - first;
	size_t used = header_width(grid);

	for (size_t i = 0; limit && i < count; i++) {
		used += 1 + cell_width(grid, first + i);
		if (used > limit && i)
			return i;
	}
	return count;
}

static void fill(struct table *table, const struct compare_grid *grid, size_t first, size_t count)
{
	for (size_t i = 0; i < grid->row_count; i++) {
		const struct grid_row *row = &grid->rows[i];

		if (row->kind == GRID_SECTION && i)
			table__rule(table);
		table__row(table);
		table__text(table, row->header);
		for (size_t k = first; k < first + count; k++)
			table__text(table, row->cells ? row->cells[k] : "");
	}
}

static void print_columns(const struct compare_grid *grid, size_t first, size_t count,
			  const struct table_output *output)
{
	struct table *table = table__new(NULL);

	table__column(table, "", ALIGN_LEFT);
	for (size_t i = first; i < first + count; i++) {
		const struct compare_column *column = &grid->comparison->columns[i];
		char *label = compare__text("%s%s", column->label,
					    compare_column__is_exact(column) ? "" : "*");

		table__column(table, label, ALIGN_RIGHT);
		free(label);
	}
	fill(table, grid, first, count);
	table__print(table, output);
	table__free(table);
}

/* "10 runs" or "2 to 10 runs": columns of saved runs need not have as many as the others. */
static char *range(size_t min, size_t max)
{
	return min == max ? compare__text("%zu", min) : compare__text("%zu to %zu", min, max);
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
	if (samples[1])
		fprintf(output->stream,
			"Times: %s untraced run%s per column, in turns, after one "
			"warm-up.\n",
			sample_text, samples[1] == 1 ? "" : "s");
	if (disturbance)
		compare__print_line(disturbance, output);
	free(disturbance);
	free(run_text);
	free(sample_text);
}

static void print_reasons(const struct comparison *comparison, const struct table_output *output)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];
		char *line;

		if (!column->facts_reason)
			continue;
		line = compare__text("%s: cannot read %s: %s", column->label,
				     column->path ? column->path : "its file",
				     column->facts_reason);
		compare__print_line(line, output);
		free(line);
	}
}

/* Nothing was lost then, but a class says less than its name. */
static void explain_others(const struct compare_column *column, const struct table_output *output)
{
	uint64_t busy = worst_of(column, LOSS_VMA_BUSY);
	char *line;

	if (!busy)
		return;
	line = compare__text("%s: %s %" PRIu64 ": %s", column->label,
			     loss_counters[LOSS_VMA_BUSY].header, busy,
			     loss_counters[LOSS_VMA_BUSY].definition);
	compare__print_line(line, output);
	free(line);
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

void compare__print(const struct comparison *comparison, const struct compare_view *view,
		    const struct table_output *output)
{
	struct compare_grid grid = { .comparison = comparison };
	size_t count;

	if (output->style == TABLE_CSV) {
		compare_csv__print(comparison, view, output);
		return;
	}
	compare__print_losses(comparison, output);
	compare_grid__add_file(&grid);
	compare_grid__add_counts(&grid, view);
	compare_grid__add_time(&grid);
	for (size_t first = 0; first < comparison->column_count; first += count) {
		count = columns_that_fit(&grid, first, output->width);
		print_columns(&grid, first, count, output);
		putc('\n', output->stream);
	}
	if (!view->quiet) {
		print_reasons(comparison, output);
		print_method(comparison, output);
	}
	compare_grid__free(&grid);
}
