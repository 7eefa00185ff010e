// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/bench_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/bench/bench_cells.h"
#include "report/shown.h"

/* The cell of the least or of the greatest time; NULL: none was measured. */
static const struct bench_figures *extreme_of(const struct bench_analysis *analysis, bool greatest)
{
	const struct bench_figures *found = NULL;

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		const struct bench_figures *cell = &analysis->cells[i];
		const struct estimate *time = &cell->metrics[BENCH_METRIC_TIME];

		if (!time->known)
			continue;
		if (!found || (greatest ? time->value > found->metrics[BENCH_METRIC_TIME].value
					: time->value < found->metrics[BENCH_METRIC_TIME].value))
			found = cell;
	}
	return found;
}

/* "static at 16M, 1.05 ms (1.02..1.09)" */
static char *words_of(const struct bench_analysis *analysis, const struct bench_figures *figures)
{
	const struct bench *bench = analysis->bench;
	const size_t index = figures - analysis->cells;
	const char *column = bench->columns[index % bench->column_count].name;
	const struct estimate *time = &figures->metrics[BENCH_METRIC_TIME];
	const struct unit unit = unit__of_time(time->value);
	autofree char *bounds = time->bounded ? quantity__bounds(time->low, time->high, unit) : NULL;

	return text__of("%s%s%s, %s %s%s%s%s", bench->rows[index / bench->column_count].name,
			*column ? " at " : "", column, quantity__in(time->value, unit).text, unit.name,
			bounds ? " (" : "", bounds ? bounds : "", bounds ? ")" : "");
}

/* What is fastest, and what slowest, in a line. */
static void print_answer(const struct bench_analysis *analysis, const struct table_output *output)
{
	const struct bench_figures *least = extreme_of(analysis, false), *most = extreme_of(analysis, true);
	autofree char *fastest = NULL, *slowest = NULL, *text = NULL;

	if (!least || least == most)
		return;
	fastest = words_of(analysis, least);
	slowest = words_of(analysis, most);
	text = text__of("Fastest: %s. Slowest: %s.", fastest, slowest);
	wrap__print(NULL, text, 0, 0, output);
	putc('\n', output->stream);
}

/* Appends ", name: value" for each note that is known. Takes `text`, and returns what is to be freed. */
static char *notes_text(char *text, const struct bench_notes *notes)
{
	for (size_t i = 0; i < notes->count; i++) {
		const struct bench_note *note = &notes->notes[i];

		if (note->value)
			text__replace(&text, "%s%s%s: %s", text, *text ? ", " : "", note->name, note->value);
	}
	return text;
}

static void print_head(const struct bench *bench, const struct table_output *output)
{
	wrap__paragraph("Machine:", notes_text(machine__words(&bench->machine), &bench->facts), output);
	wrap__paragraph("Measured:", notes_text(text__of("%s", ""), &bench->settings), output);
	putc('\n', output->stream);
}

static void print_warnings(const struct bench_analysis *analysis, const struct table_output *output)
{
	const struct bench *bench = analysis->bench;

	if (bench->interrupted)
		wrap__paragraph("Warning:",
				text__of("The measurement was interrupted after %zu complete rounds.",
					 bench->rounds), output);
	for (size_t i = 0; i < bench->warning_count; i++)
		wrap__paragraph("Warning:", text__of("%s", bench->warnings[i]), output);
	for (size_t i = 0; i < analysis->warning_count; i++)
		wrap__paragraph("Warning:", text__of("%s", analysis->warnings[i]), output);
}

/* Rows and cells without figures, each with its reason; the same reason once a row. */
static void print_missing(const struct bench *bench, const struct table_output *output)
{
	const char *last = NULL;

	for (size_t i = 0; i < bench->cell_count; i++) {
		const struct bench_cell *cell = &bench->cells[i];
		const char *row = bench->rows[i / bench->column_count].name;
		const char *column = bench->columns[i % bench->column_count].name;
		autofree char *name = NULL;

		if (i % bench->column_count == 0)
			last = NULL;
		if (cell->state == BENCH_MEASURED || (last && cell->reason && !strcmp(last, cell->reason)))
			continue;
		last = cell->reason;
		name = text__of(*column ? "%s at %s" : "%s%s", row, column);
		wrap__paragraph(NULL,
				text__of("%s: %s%s%s%s%s", name, bench_state_keys[cell->state],
					 cell->reason ? ": " : "", cell->reason ? cell->reason : "",
					 cell->remedy ? "; " : "", cell->remedy ? cell->remedy : ""),
				output);
	}
}

static void print_untraced(const struct bench *bench, const struct table_output *output)
{
	for (size_t i = 0; i < bench->cell_count; i++) {
		const char *why = bench->cells[i].untraced;

		if (!why)
			continue;
		wrap__paragraph(NULL,
				text__of("%s: not counted per operation: %s",
					 bench->rows[i / bench->column_count].name, why), output);
		return; /* usually all have the same reason; --json has each */
	}
}

static void print_rest(const struct bench_analysis *analysis, const struct report_options *options,
		       const struct table_output *output)
{
	const struct bench_layout *layout = bench_layout__of(analysis->bench->kind);

	print_missing(analysis->bench, output);
	if (options->quiet)
		return;
	print_untraced(analysis->bench, output);
	if (layout->after)
		layout->after(analysis, output);
	print_warnings(analysis, output);
}

static bool has_marks(const struct bench_analysis *analysis)
{
	const struct bench *bench = analysis->bench;

	for (size_t i = 0; i < bench->cell_count; i++)
		for (size_t k = 0; k < bench->baseline_count; k++)
			if (bench_cells__is_marked(&analysis->cells[i].ratios[k]))
				return true;
	return false;
}

/* Where nothing else limits lines, those of the answer fit a usual terminal. */
static struct table_output fitted(const struct report_options *options, const struct table_output *output)
{
	struct table_output copy = *output;

	if (output->style == TABLE_TEXT && report__is_brief(options))
		copy.width = wrap__width(output);
	return copy;
}

static void print_for_people(const struct bench_analysis *analysis, const struct report_options *options,
			     const struct table_output *output)
{
	const struct table_output tables = fitted(options, output);

	print_answer(analysis, output);
	if (!options->quiet)
		print_head(analysis->bench, output);
	bench_tables__print(analysis, options, &tables);
	if (has_marks(analysis))
		bench_cells__explain_mark(output);
	print_rest(analysis, options, output);
}

void bench_report__print(const struct bench *bench, const struct report_options *options,
			 const struct table_output *output)
{
	struct bench_analysis *analysis = bench_analysis__new(bench);

	print_for_people(analysis, options, output);
	bench_analysis__free(analysis);
}
