// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/pictures.h"

#include <math.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/bench/bench_cells.h"
#include "report/bench/bench_report.h"
#include "report/bench/sweep_scale.h"

enum {
	WIDTH = 1000,
	HEIGHT = 320,
	LEFT = 80,
	RIGHT = 170,
	TOP = 12,
	BOTTOM = 40,
	LINES = 5,
	MARK = 5,
	CLASSES = 6,
	LABEL_LINE = 14
};

/* A sweep as curves, one for each row of the bench. */
struct curves {
	const struct bench_analysis *analysis;
	FILE *stream;
	struct sweep_scale scale;
	struct unit unit;
};

static double x_of(const struct curves *curves, size_t column)
{
	size_t steps = curves->analysis->bench->column_count - 1;

	return LEFT + (double)column / steps * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct curves *curves, double time)
{
	double height = sweep_scale__height(&curves->scale, time);

	return HEIGHT - BOTTOM - fmin(fmax(height, 0), 1.02) * (HEIGHT - BOTTOM - TOP);
}

/* "1.07 (1.05..1.10) us" */
static char *time_text(const struct estimate *time, struct unit unit)
{
	char *text = words__estimate(time, unit);

	text__replace(&text, "%s %s", text, unit.name);
	return text;
}

static void draw_time(const struct curves *curves, double time)
{
	autofree char *text = text__of("%g %s", time / curves->unit.size, curves->unit.name);

	svg__line(curves->stream, "grid", LEFT, y_of(curves, time), WIDTH - RIGHT, y_of(curves, time));
	svg__text(curves->stream, "soft end", LEFT - 8, y_of(curves, time) + 4, text);
}

/* Where 1, 2 and 5 times a power of ten are; on a linear scale, at equal steps. */
static void draw_times(const struct curves *curves)
{
	static const double steps[] = { 1, 2, 5 };
	const struct sweep_scale *scale = &curves->scale;
	const double step = axis__step(scale->high - scale->low, LINES);

	for (double i = 0; !scale->is_logarithmic && i * step <= scale->high; i++)
		draw_time(curves, i * step);
	if (!scale->is_logarithmic || scale->low <= 0)
		return;
	for (double power = pow(10, floor(log10(scale->low))); power <= scale->high; power *= 10)
		for (int i = 0; i < 3; i++)
			if (steps[i] * power >= scale->low && steps[i] * power <= scale->high)
				draw_time(curves, steps[i] * power);
}

static void draw_ground(const struct curves *curves)
{
	const struct bench *bench = curves->analysis->bench;

	draw_times(curves);
	for (size_t column = 0; column < bench->column_count; column++)
		svg__text(curves->stream, "soft mid", x_of(curves, column), HEIGHT - BOTTOM + 18,
			  bench->columns[column].name);
	svg__text(curves->stream, "mid", (LEFT + WIDTH - RIGHT) / 2., HEIGHT - 4, bench->axis.name);
}

static void draw_point(const struct curves *curves, size_t row, size_t column, const char *class)
{
	const struct bench *bench = curves->analysis->bench;
	const struct estimate *time = &curves->analysis->cells[row * bench->column_count + column]
					       .metrics[BENCH_METRIC_TIME];
	double x = x_of(curves, column), y = y_of(curves, time->value);
	autofree char *text = time_text(time, curves->unit);
	autofree char *hint =
		text__of("%s at %s: %s", bench->rows[row].name, bench->columns[column].name, text);

	if (time->bounded) {
		svg__line(curves->stream, "axis", x, y_of(curves, time->low), x,
			  y_of(curves, time->high));
		svg__line(curves->stream, "axis", x - 3, y_of(curves, time->low), x + 3,
			  y_of(curves, time->low));
		svg__line(curves->stream, "axis", x - 3, y_of(curves, time->high), x + 3,
			  y_of(curves, time->high));
	}
	svg__mark(curves->stream, class, x - MARK, y - MARK, 2 * MARK, 2 * MARK, hint);
	svg__text(curves->stream, "off mid", x, y + 4, (char[]){ 'a' + row % 26, '\0' });
}

/* Curves differ by their letters; their names are where they end. */
static void draw_curve(const struct curves *curves, size_t row, double *label_y)
{
	const struct bench *bench = curves->analysis->bench;
	const struct bench_figures *cells = &curves->analysis->cells[row * bench->column_count];
	char class[] = { 'c', '1' + row % CLASSES, '\0' };
	size_t last = bench->column_count;

	for (size_t column = 0; column < bench->column_count; column++) {
		const struct estimate *time = &cells[column].metrics[BENCH_METRIC_TIME];

		if (!time->known)
			continue;
		if (last < column)
			svg__line(curves->stream, "curve", x_of(curves, last),
				  y_of(curves, cells[last].metrics[BENCH_METRIC_TIME].value),
				  x_of(curves, column), y_of(curves, time->value));
		last = column;
	}
	for (size_t column = 0; column < bench->column_count; column++)
		if (cells[column].metrics[BENCH_METRIC_TIME].known)
			draw_point(curves, row, column, class);
	if (last < bench->column_count) {
		autofree char *label = text__of("%c  %s", (char)('a' + row % 26), bench->rows[row].name);

		svg__text(curves->stream, NULL, WIDTH - RIGHT + 12, *label_y += LABEL_LINE, label);
	}
}

static void draw_curves(const struct bench_analysis *analysis, struct html_page *page)
{
	struct curves curves = {
		.analysis = analysis,
		.scale = sweep_scale__of(analysis),
		.unit = bench_tables__unit(analysis),
	};
	double label_y = TOP;

	if (analysis->bench->column_count < 2 || curves.scale.high == 0)
		return;
	html_page__place_next(page, PAGE_PICTURE);
	html_page__heading(page, "Times of the sweep");
	curves.stream = html_page__markup(page);
	figure__begin(curves.stream);
	svg__begin(curves.stream, NULL, WIDTH, HEIGHT, "Times of the sweep");
	draw_ground(&curves);
	for (size_t row = 0; row < analysis->bench->row_count; row++)
		draw_curve(&curves, row, &label_y);
	svg__end(curves.stream);
	figure__end(curves.stream,
		    curves.scale.is_logarithmic
			    ? "Medians with their 95 % intervals; times are on a logarithmic scale."
			    : "Medians with their 95 % intervals.");
}

static void add_bar(struct bar_chart *chart, const struct bench_analysis *analysis, size_t row,
		    size_t column, struct unit unit)
{
	const struct bench *bench = analysis->bench;
	const struct bench_figures *figures = &analysis->cells[row * bench->column_count + column];
	const struct estimate *time = &figures->metrics[BENCH_METRIC_TIME];
	struct bar *bar;

	if (!time->known)
		return;
	bar = bar_chart__add(chart);
	bar->label = text__of("%s", bench->rows[row].name);
	bar->text = time_text(time, unit);
	bar->value = time->value;
	bar->low = time->bounded ? time->low : NAN;
	bar->high = time->bounded ? time->high : NAN;
	for (size_t i = 0; i < bench->baseline_count; i++) {
		struct cell cell = bench_cells__ratio(&figures->ratios[i], false);
		autofree char *ratio = cell__reading_alone(&cell);

		if (figures->ratios[i].known)
			text__replace(&bar->text, "%s, %s of %s", bar->text, ratio,
				      bench->baselines[i].name);
		if (estimate__shows(&figures->ratios[i], 1) == SHOWN_NOTHING)
			bar->class = "hatched";
		cell__free(&cell);
	}
}

void picture__bench(const struct bench_analysis *analysis, const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	const struct unit unit = bench_tables__unit(analysis);

	if (!output->page)
		return;
	if (bench->axis.name) {
		draw_curves(analysis, output->page);
		return;
	}
	for (size_t column = 0; column < bench->column_count; column++) {
		struct bar_chart chart = { .label = "Times" };
		const char *name = bench->columns[column].name;
		autofree char *title = text__of(*name ? "Times, median and 95 %% interval: %s"
						      : "Times, median and 95 %% interval%s",
						name);

		for (size_t row = 0; row < bench->row_count; row++)
			add_bar(&chart, analysis, row, column, unit);
		if (chart.count) {
			html_page__place_next(output->page, PAGE_PICTURE);
			html_page__heading(output->page, title);
			bar_chart__draw(&chart,
					bench->baseline_count
						? "Hatched: no difference to a baseline is shown."
						: NULL,
					output->page);
		}
	}
}
