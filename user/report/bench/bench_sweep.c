// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sweep as tables, and as a picture: time upwards, the axis to the right, one mark per row of the
 * bench. Points stand at equal distances, as a sweep's usually do on a logarithmic scale; the scale
 * of times is logarithmic if these differ much.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/escape.h"
#include "format/wrap.h"
#include "report/bench/bench_cells.h"
#include "report/bench/bench_report.h"
#include "report/bench/sweep_scale.h"
#include "report/words.h"
#include "report/shown.h"

enum { LINES = 14, LABEL = 9, POINT_COLUMNS_MAX = 12, POINT_COLUMNS_MIN = 4 };
static const char *const marks_utf8[] = { "●", "○", "▲", "△", "■", "□", "◆", "◇", "★", "☆" };
static const char *const marks_ascii[] = { "o", "x", "+", "*", "#", "@", "%", "&", "=", "~" };
enum { MARKS = sizeof(marks_utf8) / sizeof(marks_utf8[0]) };

struct plot {
	const struct bench_analysis *analysis;
	const char *const *marks;
	const char *several; /* where marks coincide */
	struct unit unit;
	struct sweep_scale scale;
	size_t point_columns; /* per point of the axis */
	size_t columns;
	const char **cells; /* LINES by columns; NULL: nothing there */
};

static void put_mark(struct plot *plot, size_t row, size_t column)
{
	const struct bench *bench = plot->analysis->bench;
	const struct bench_figures *figures =
		&plot->analysis->cells[row * bench->column_count + column];
	const struct estimate *time = &figures->metrics[BENCH_METRIC_TIME];
	size_t line, at = column * plot->point_columns + plot->point_columns / 2;
	const char **cell;

	if (!time->known)
		return;
	line = LINES - 1 - (size_t)lround(sweep_scale__height(&plot->scale, time->value) * (LINES - 1));
	cell = &plot->cells[line * plot->columns + at];
	/* Beside it there is room for another or two. */
	for (size_t aside = 0; *cell && aside < 2; aside++)
		cell++;
	*cell = *cell ? plot->several : plot->marks[row % MARKS];
}

static void print_line(const struct plot *plot, size_t line, const struct table_output *output)
{
	bool has_label = line % 3 == (LINES - 1) % 3;
	const char **cells = &plot->cells[line * plot->columns];
	size_t end = plot->columns;
	const double time = sweep_scale__time(&plot->scale, (LINES - 1.0 - line) / (LINES - 1));

	while (end && !cells[end - 1])
		end--;
	fprintf(output->stream, "%*s %s", LABEL,
		has_label ? quantity__in(time, plot->unit).text : "",
		output->utf8 ? "│" : "|");
	for (size_t at = 0; at < end; at++)
		fputs(cells[at] ? cells[at] : " ", output->stream);
	putc('\n', output->stream);
}

static void print_ground(const struct plot *plot, const struct table_output *output)
{
	const struct bench *bench = plot->analysis->bench;

	fprintf(output->stream, "%*s %s", LABEL, plot->unit.name, output->utf8 ? "└" : "+");
	for (size_t at = 0; at < plot->columns; at++)
		fputs(output->utf8 ? "─" : "-", output->stream);
	fprintf(output->stream, "\n%*s  ", LABEL, "");
	for (size_t i = 0; i < bench->column_count; i++) {
		autofree char *name = escape__text(bench->columns[i].name, output->utf8);
		size_t before = plot->point_columns / 2;

		before -= strlen(name) / 2 < before ? strlen(name) / 2 : before;
		fprintf(output->stream, "%*s%-*.*s", (int)before, "",
			(int)(plot->point_columns - before), (int)plot->point_columns - 1, name);
	}
	fprintf(output->stream, "%s\n", bench->axis.name);
}

static void print_legend(const struct plot *plot, const struct table_output *output)
{
	const struct bench *bench = plot->analysis->bench;
	autofree char *text = text__of("%s", plot->scale.is_logarithmic ? "(logarithmic)" : "");

	for (size_t row = 0; row < bench->row_count; row++)
		text__replace(&text, "%s%s%s %s", text, *text ? "  " : "",
			      plot->marks[row % MARKS], bench->rows[row].name);
	wrap__print(NULL, text, LABEL + 2, LABEL + 2, output);
	putc('\n', output->stream);
}

static void print_plot(const struct bench_analysis *analysis, const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	struct plot plot = {
		.analysis = analysis,
		.marks = output->utf8 ? marks_utf8 : marks_ascii,
		.several = output->utf8 ? "◎" : "$",
		.unit = bench_tables__unit(analysis),
		.scale = sweep_scale__of(analysis),
	};
	size_t room = wrap__width(output) - LABEL - 2;
	struct table_output picture;

	if (bench->column_count < 2 || plot.scale.high == 0)
		return; /* a single point is no picture */
	plot.point_columns = room / bench->column_count;
	if (plot.point_columns > POINT_COLUMNS_MAX)
		plot.point_columns = POINT_COLUMNS_MAX;
	if (plot.point_columns < POINT_COLUMNS_MIN)
		plot.point_columns = POINT_COLUMNS_MIN;
	plot.columns = plot.point_columns * bench->column_count;
	plot.cells = checked_calloc((LINES + 1) * plot.columns, sizeof(*plot.cells));
	for (size_t row = 0; row < bench->row_count; row++) {
		for (size_t column = 0; column < bench->column_count; column++)
			put_mark(&plot, row, column);
	}
	picture = picture__begin(output);
	for (size_t line = 0; line < LINES; line++)
		print_line(&plot, line, &picture);
	print_ground(&plot, &picture);
	print_legend(&plot, &picture);
	picture__end(output);
	free(plot.cells);
}

typedef struct cell sweep_cell_fn(const struct bench_figures *figures, struct unit unit,
				  size_t baseline);

static struct cell sweep_time(const struct bench_figures *figures, struct unit unit,
			      size_t baseline)
{
	return bench_cells__median(&figures->metrics[BENCH_METRIC_TIME], unit);
}

static struct cell sweep_ratio(const struct bench_figures *figures, struct unit unit,
			       size_t baseline)
{
	return bench_cells__against(figures, baseline, true);
}

static void print_sweep_table(const struct bench_analysis *analysis, char *title,
			      sweep_cell_fn *cell, size_t baseline,
			      const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	const struct unit unit = bench_tables__unit(analysis);
	struct table *table = table__titled(title, NULL);

	table__column(table, bench->axis.name, COLUMN_COUNT);
	for (size_t row = 0; row < bench->row_count; row++)
		table__column(table, bench->rows[row].name, COLUMN_ESTIMATE);
	for (size_t column = 0; column < bench->column_count; column++) {
		table__row(table);
		table__text(table, bench->columns[column].name);
		for (size_t row = 0; row < bench->row_count; row++)
			table__put(table, cell(&analysis->cells[row * bench->column_count + column],
					       unit, baseline));
	}
	table__finish(table, output);
	putc('\n', output->stream);
}

void bench_sweep__print(const struct bench_analysis *analysis, const struct report_options *options,
			const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	const struct bench_layout *layout = bench_layout__of(bench->kind);
	const struct unit unit = bench_tables__unit(analysis);
	const bool is_brief = output->style == TABLE_TEXT && report__is_brief(options);

	print_sweep_table(analysis, text__of("%s (%s)", layout->title, unit.name), sweep_time, 0, output);
	for (size_t i = 0; i < bench->baseline_count && !is_brief; i++)
		print_sweep_table(analysis, text__of("The same, against %s", bench->baselines[i].name),
			    sweep_ratio, i, output);
	if (!output->page) /* it has a better one */
		print_plot(analysis, output);
}
