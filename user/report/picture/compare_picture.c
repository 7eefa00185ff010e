// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench_results.h"
#include "analysis/compare/unexplained.h"
#include "base/autofree.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

static const struct {
	const char *class, *words;
} styles[] = {
	[SHOWN_UNKNOWN] = { "hatched", "too few runs for an interval" },
	[SHOWN_NOTHING] = { "hatched", "no difference shown" },
	[SHOWN_MORE] = { "c1", "slower" },
	[SHOWN_LESS] = { "c6", "faster" },
};

/* What may be said of the difference to the baseline, to be freed. */
static char *verdict_of(const struct comparison *comparison, size_t column)
{
	const struct estimate *ratio = comparison__ratio(comparison, column);
	const char *words = comparison__is_unexplained(comparison, column) ?
				    "not explained" : styles[estimate__shows(ratio, 1)].words;
	char *text;

	if (column == comparison->baseline)
		return text__of("%s", comparison->column_count > 1 ? ", baseline" : "");
	if (!ratio->known)
		return text__of("%s", "");
	text = words__ratio(ratio);
	text__replace(&text, ", x %s: %s", text, words);
	return text;
}

static const char *class_of(const struct comparison *comparison, size_t column)
{
	return column == comparison->baseline ? "c4" : styles[comparison__shows(comparison, column)].class;
}

static void draw_times(const struct comparison *comparison, struct html_page *page)
{
	struct bar_chart chart = { .label = comparison->by_cpu ? "CPU time, untraced" : "Wall time, untraced" };
	autofree char *heading = text__of("%s: median and 95 %% interval", chart.label);
	double longest = 0;
	struct unit unit;

	for (size_t i = 0; i < comparison->column_count; i++)
		longest = fmax(longest, comparison__time(comparison, i)->value);
	if (longest == 0) /* not measured */
		return;
	unit = unit__of_time(longest);
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct estimate *time = comparison__time(comparison, i);
		struct bar *bar;
		char *range, *verdict;

		if (!time->known)
			continue;
		range = words__estimate(time, unit);
		verdict = verdict_of(comparison, i);
		bar = bar_chart__add(&chart);
		bar->label = text__of("%s", comparison->columns[i].label);
		bar->text = text__of("%s %s%s", range, unit.name, verdict);
		bar->class = class_of(comparison, i);
		bar->value = time->value;
		bar->low = time->bounded ? time->low : NAN;
		bar->high = time->bounded ? time->high : NAN;
		free(range);
		free(verdict);
	}
	html_page__place_next(page, PAGE_PICTURE);
	html_page__heading(page, heading);
	bar_chart__draw(&chart,
			"Hatched: no difference to the baseline is shown, because the interval of the "
			"ratio of rounds holds 1 or is not known.",
			page);
}

/* Of totals; NULL: another row. */
static const char *title_of(const struct compare_row *row)
{
	if (strcmp(row->key, "total") != 0)
		return NULL;
	return row->section == SECTION_SYSCALL_TOTALS ? "System calls"
	       : row->section == SECTION_FAULT_TOTALS ? "Page faults"
						      : NULL;
}

static bool is_known_of_any(const struct comparison *comparison, const struct compare_row *row)
{
	size_t i = 0;

	while (i < comparison->column_count && !row->cells[i].known)
		i++;
	return i < comparison->column_count;
}

static void draw_counts(const struct comparison *comparison, const struct compare_row *row, struct html_page *page)
{
	struct bar_chart chart = { .label = title_of(row) };
	FILE *stream;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct spread *cell = &row->cells[i];
		struct bar *bar = bar_chart__add(&chart);

		bar->label = text__of("%s", comparison->columns[i].label);
		bar->text = words__spread(cell, unit__none);
		if (!cell->known)
			continue;
		bar->class = i == comparison->baseline ? "c4" : "c5";
		bar->value = cell->median;
		bar->low = cell->min < cell->max ? cell->min : NAN;
		bar->high = cell->min < cell->max ? cell->max : NAN;
	}
	stream = html_page__markup(page);
	fputs("<h3>", stream);
	html__text(stream, title_of(row));
	fputs("</h3>\n", stream);
	bar_chart__draw(&chart, NULL, page);
}

void picture__compare(const struct comparison *comparison, const struct table_output *output)
{
	bool any = false;

	if (!output->page)
		return;
	draw_times(comparison, output->page);
	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (!title_of(row) || !is_known_of_any(comparison, row))
			continue;
		if (!any)
			html_page__heading(output->page, "Counts: median and extremes of the traced runs");
		any = true;
		draw_counts(comparison, row, output->page);
	}
}
