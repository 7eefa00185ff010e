// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/bench_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/bench/bench_cells.h"
#include "report/words.h"

enum { WIDE = 110 /* columns that intervals in every column need */ };

/* One table in the making. */
struct making {
	const struct bench_analysis *analysis;
	const struct bench_layout *layout;
	struct table *table;
	struct time_unit unit;
	uint32_t column; /* of the bench */
	bool history, is_brief;
};

/* That of the shortest: a long time in a small unit can be read, a short one in a large one not. */
struct time_unit bench_tables__unit(const struct bench_analysis *analysis)
{
	double shortest = INFINITY;

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		const struct estimate *time = &analysis->cells[i].metrics[BENCH_METRIC_TIME];

		if (time->known)
			shortest = fmin(shortest, time->value);
	}
	return time_unit__for(isinf(shortest) ? 0 : shortest);
}

static size_t cell_index(const struct making *making, uint32_t row)
{
	return row * making->analysis->bench->column_count + making->column;
}

/* A column in which no row has anything is left out. */
static bool has_metric(const struct making *making, int metric)
{
	for (uint32_t row = 0; row < making->analysis->bench->row_count; row++) {
		if (making->analysis->cells[cell_index(making, row)].metrics[metric].known)
			return true;
	}
	return false;
}

static bool has_per_op(const struct making *making, int per_op)
{
	for (uint32_t row = 0; row < making->analysis->bench->row_count; row++) {
		if (!isnan(making->analysis->bench->cells[cell_index(making, row)].per_op[per_op]))
			return true;
	}
	return false;
}

static const struct bench_history *history_of(const struct making *making, uint32_t row)
{
	const struct bench *bench = making->analysis->bench;

	for (size_t i = 0; i < bench->history_count; i++) {
		const struct bench_history *figure = &bench->history[i];

		if (figure->column == making->column && figure->metric == BENCH_METRIC_TIME &&
		    (figure->row == row || row == BENCH_SAME))
			return figure;
	}
	return NULL;
}

static bool is_shown(const struct making *making, const struct bench_shown *shown)
{
	if (making->is_brief && making->layout->details >> (shown - making->layout->shown) & 1)
		return false;
	switch (shown->shows) {
	case SHOWS_METRIC:
		return has_metric(making, shown->index);
	case SHOWS_INTERVAL:
		return !making->is_brief && has_metric(making, shown->index);
	case SHOWS_RATIOS:
		return making->analysis->bench->row_count > 1;
	case SHOWS_PER_OP:
		return has_per_op(making, shown->index);
	case SHOWS_HISTORY:
		return making->history && history_of(making, BENCH_SAME);
	default:
		return true;
	}
}

static const char *header_of(const struct bench_shown *shown)
{
	if (shown->header)
		return shown->header;
	return shown->shows == SHOWS_PER_OP ? per_op_counters[shown->index].header :
					      metric_counters[shown->index].header;
}

static void add_header(struct making *making, const char *text)
{
	table__column(making->table, text, ALIGN_RIGHT);
}

static void add_own_header(struct making *making, char *text)
{
	add_header(making, text);
	free(text);
}

static bool is_per_op_time(int per_op)
{
	return !strcmp(per_op_counters[per_op].unit, "ns");
}

static void add_headers(struct making *making, const struct bench_shown *shown)
{
	const struct bench *bench = making->analysis->bench;

	switch (shown->shows) {
	case SHOWS_METRIC:
	case SHOWS_INTERVAL:
		if (!bench_cells__is_time(shown->index))
			add_header(making, header_of(shown));
		else
			add_own_header(making,
				       words("%s (%s)", header_of(shown), making->unit.name));
		break;
	case SHOWS_PER_OP:
		if (is_per_op_time(shown->index))
			add_own_header(making,
				       words("%s (%s)", header_of(shown), making->unit.name));
		else
			add_header(making, header_of(shown));
		break;
	case SHOWS_TOTAL:
		add_own_header(making, words("%d take (s)", shown->index));
		break;
	case SHOWS_RATIOS:
		for (size_t i = 0; i < bench->baseline_count; i++)
			add_own_header(making,
				       words("%s %s", shown->header ? shown->header : "against",
					     bench->baselines[i].name));
		break;
	case SHOWS_HISTORY:
		add_own_header(making, words("then (%s)", making->unit.name));
		break;
	default:
		add_header(making, header_of(shown));
	}
}

static void add_text(struct making *making, char *text)
{
	table__text(making->table, text);
	free(text);
}

static void add_history(struct making *making, uint32_t row)
{
	const struct bench_history *figure = history_of(making, row);

	add_text(making, figure ? bench_cells__time(figure->value, &making->unit) : words("-"));
}

static void add_per_op(struct making *making, size_t cell, int per_op)
{
	double value = making->analysis->bench->cells[cell].per_op[per_op];

	add_text(making, is_per_op_time(per_op) && !isnan(value) ?
				 bench_cells__time(value, &making->unit) :
				 bench_cells__count(value));
}

static void add_cells(struct making *making, const struct bench_shown *shown, uint32_t row)
{
	const struct bench *bench = making->analysis->bench;
	size_t index = cell_index(making, row);
	const struct bench_figures *figures = &making->analysis->cells[index];
	const struct estimate *time = &figures->metrics[BENCH_METRIC_TIME];

	switch (shown->shows) {
	case SHOWS_METRIC:
		add_text(making, bench_cells__median(&figures->metrics[shown->index], shown->index,
						     &making->unit));
		break;
	case SHOWS_INTERVAL:
		add_text(making, bench_cells__interval(&figures->metrics[shown->index],
						       shown->index, &making->unit));
		break;
	case SHOWS_RATE:
		add_text(making, bench_cells__rate(&figures->rate));
		break;
	case SHOWS_TOTAL:
		add_text(making, time->known ? words("%.2f", time->value * shown->index / 1e9) :
					       words("-"));
		break;
	case SHOWS_RATIOS:
		for (size_t i = 0; i < bench->baseline_count; i++)
			add_text(making, bench_cells__ratio(&figures->ratios[i],
							    figures->is_baseline[i] && time->known,
							    making->is_brief));
		break;
	case SHOWS_PER_OP:
		add_per_op(making, index, shown->index);
		break;
	case SHOWS_HISTORY:
		add_history(making, row);
		break;
	}
}

static char *title_of(const struct making *making)
{
	const char *column = making->analysis->bench->columns[making->column].name;

	return words(*column ? "%s: %s" : "%s", making->layout->title, column);
}

static void print_column(struct making *making, const struct table_output *output)
{
	const struct bench *bench = making->analysis->bench;
	const struct bench_layout *layout = making->layout;
	char *title = title_of(making);

	making->table = table__new(title);
	free(title);
	table__column(making->table, "", ALIGN_LEFT);
	for (size_t i = 0; i < layout->shown_count; i++) {
		if (is_shown(making, &layout->shown[i]))
			add_headers(making, &layout->shown[i]);
	}
	for (uint32_t row = 0; row < bench->row_count; row++) {
		table__row(making->table);
		table__text(making->table, bench->rows[row].name);
		for (size_t i = 0; i < layout->shown_count; i++) {
			if (is_shown(making, &layout->shown[i]))
				add_cells(making, &layout->shown[i], row);
		}
	}
	table__print(making->table, output);
	table__free(making->table);
	putc('\n', output->stream);
}

void bench_tables__print(const struct bench_analysis *analysis, const struct bench_view *view,
			 const struct table_output *output)
{
	struct making making = {
		.analysis = analysis,
		.layout = bench_layout__of(analysis->bench->kind),
		.unit = bench_tables__unit(analysis),
		.history = view->history,
		.is_brief = output->width && output->width < WIDE,
	};

	for (; making.column < analysis->bench->column_count; making.column++)
		print_column(&making, output);
}
