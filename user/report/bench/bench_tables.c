// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/bench_report.h"

#include <math.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "report/bench/bench_cells.h"
#include "report/shown.h"

/* One table in the making. */
struct builder {
	const struct bench_analysis *analysis;
	const struct bench_layout *layout;
	struct table *table;
	struct unit unit;
	uint32_t column; /* of the bench */
	bool history, is_brief;
};

/* A long time is readable in a small unit, a short one in a large unit is not. */
struct unit bench_tables__unit(const struct bench_analysis *analysis)
{
	double shortest = INFINITY;

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		const struct estimate *time = &analysis->cells[i].metrics[BENCH_METRIC_TIME];

		if (time->known)
			shortest = fmin(shortest, time->value);
	}
	return unit__of_time(isinf(shortest) ? 0 : shortest);
}

static size_t cell_index(const struct builder *builder, uint32_t row)
{
	return row * builder->analysis->bench->column_count + builder->column;
}

/* A column in which no row has anything is left out. */
static bool has_metric(const struct builder *builder, int metric)
{
	for (uint32_t row = 0; row < builder->analysis->bench->row_count; row++) {
		if (builder->analysis->cells[cell_index(builder, row)].metrics[metric].known)
			return true;
	}
	return false;
}

static bool has_per_op(const struct builder *builder, int per_op)
{
	for (uint32_t row = 0; row < builder->analysis->bench->row_count; row++) {
		if (!isnan(builder->analysis->bench->cells[cell_index(builder, row)]
				   .per_op[per_op]))
			return true;
	}
	return false;
}

static const struct bench_history *history_of(const struct builder *builder, uint32_t row)
{
	const struct bench *bench = builder->analysis->bench;

	for (size_t i = 0; i < bench->history_count; i++) {
		const struct bench_history *figure = &bench->history[i];

		if (figure->column == builder->column && figure->metric == BENCH_METRIC_TIME &&
		    (figure->row == row || row == BENCH_SAME))
			return figure;
	}
	return NULL;
}

static bool is_per_op_time(int per_op)
{
	return !strcmp(per_op_counters[per_op].unit, "ns");
}

static size_t baselines_of(const struct builder *builder, int index)
{
	return builder->analysis->bench->row_count > 1 ? builder->analysis->bench->baseline_count
						       : 0;
}

static size_t history_columns(const struct builder *builder, int index)
{
	return builder->history && history_of(builder, BENCH_SAME);
}

static size_t metric_columns(const struct builder *builder, int metric)
{
	return has_metric(builder, metric);
}

static size_t interval_columns(const struct builder *builder, int metric)
{
	return !builder->is_brief && has_metric(builder, metric);
}

static size_t per_op_columns(const struct builder *builder, int per_op)
{
	return has_per_op(builder, per_op);
}

static char *with_unit(const struct builder *builder, const char *name, bool is_time)
{
	return is_time ? text__of("%s (%s)", name, builder->unit.name) : text__of("%s", name);
}

static char *metric_header(const struct builder *builder, const struct bench_shown *shown,
			   size_t number)
{
	return with_unit(builder,
			 shown->header ? shown->header : metric_counters[shown->index].header,
			 bench_cells__is_time(shown->index));
}

static char *per_op_header(const struct builder *builder, const struct bench_shown *shown,
			   size_t number)
{
	return with_unit(builder,
			 shown->header ? shown->header : per_op_counters[shown->index].header,
			 is_per_op_time(shown->index));
}

static char *rate_header(const struct builder *builder, const struct bench_shown *shown,
			 size_t number)
{
	return text__of("%s", shown->header);
}

static char *total_header(const struct builder *builder, const struct bench_shown *shown,
			  size_t number)
{
	return text__of("%d take (s)", shown->index);
}

static char *ratio_header(const struct builder *builder, const struct bench_shown *shown,
			  size_t number)
{
	return text__of("%s %s", shown->header ? shown->header : "against",
			builder->analysis->bench->baselines[number].name);
}

static char *history_header(const struct builder *builder, const struct bench_shown *shown,
			    size_t number)
{
	return with_unit(builder, "then", true);
}

/* What a cell is made of. */
struct shown_place {
	const struct bench_figures *figures;
	const struct bench_cell *cell;
	uint32_t row;
};

static struct cell metric_cell(const struct builder *builder, const struct shown_place *place, int metric,
			       size_t number)
{
	return bench_cells__median(&place->figures->metrics[metric], metric, builder->unit);
}

static struct cell interval_cell(const struct builder *builder, const struct shown_place *place,
				 int metric, size_t number)
{
	return bench_cells__interval(&place->figures->metrics[metric], metric, builder->unit);
}

static struct cell rate_cell(const struct builder *builder, const struct shown_place *place, int index,
			     size_t number)
{
	return bench_cells__rate(&place->figures->rate);
}

static struct cell total_cell(const struct builder *builder, const struct shown_place *place, int times,
			      size_t number)
{
	const struct estimate *time = &place->figures->metrics[BENCH_METRIC_TIME];

	return cell__number(time->known ? time->value * times / 1e9 : NAN, 2);
}

static struct cell ratio_cell(const struct builder *builder, const struct shown_place *place, int index,
			      size_t number)
{
	const struct bench_figures *figures = place->figures;
	bool is_baseline = figures->is_baseline[number] &&
			   figures->metrics[BENCH_METRIC_TIME].known;

	return bench_cells__ratio(&figures->ratios[number], is_baseline, builder->is_brief);
}

static struct cell per_op_cell(const struct builder *builder, const struct shown_place *place, int per_op,
			       size_t number)
{
	double value = place->cell->per_op[per_op];

	return bench_cells__number(value, is_per_op_time(per_op) ? builder->unit : unit__none);
}

static struct cell history_cell(const struct builder *builder, const struct shown_place *place, int index,
				size_t number)
{
	const struct bench_history *figure = history_of(builder, place->row);

	return bench_cells__number(figure ? figure->value : NAN, builder->unit);
}

/* By enum bench_column_kind. */
static const struct {
	/* How many columns there are; NULL: one. */
	size_t (*columns)(const struct builder *builder, int index);
	char *(*header)(const struct builder *builder, const struct bench_shown *shown,
			size_t number);
	struct cell (*cell)(const struct builder *builder, const struct shown_place *place,
			    int index, size_t number);
} column_kinds[] = {
	[BENCH_COLUMN_METRIC] = { metric_columns, metric_header, metric_cell },
	[BENCH_COLUMN_INTERVAL] = { interval_columns, metric_header, interval_cell },
	[BENCH_COLUMN_RATE] = { NULL, rate_header, rate_cell },
	[BENCH_COLUMN_TOTAL] = { NULL, total_header, total_cell },
	[BENCH_COLUMN_RATIOS] = { baselines_of, ratio_header, ratio_cell },
	[BENCH_COLUMN_PER_OP] = { per_op_columns, per_op_header, per_op_cell },
	[BENCH_COLUMN_HISTORY] = { history_columns, history_header, history_cell },
};

static size_t columns_of(const struct builder *builder, const struct bench_shown *shown)
{
	if (builder->is_brief && builder->layout->details >> (shown - builder->layout->shown) & 1)
		return 0;
	return column_kinds[shown->kind].columns
		       ? column_kinds[shown->kind].columns(builder, shown->index)
		       : 1;
}

static void add_headers(const struct builder *builder, const struct bench_shown *shown)
{
	for (size_t number = 0; number < columns_of(builder, shown); number++) {
		autofree char *header = column_kinds[shown->kind].header(builder, shown, number);

		table__column(builder->table, header, COLUMN_ESTIMATE);
	}
}

static void add_cells(const struct builder *builder, const struct bench_shown *shown, uint32_t row)
{
	size_t index = cell_index(builder, row);
	const struct shown_place place = { &builder->analysis->cells[index],
				     &builder->analysis->bench->cells[index], row };

	for (size_t number = 0; number < columns_of(builder, shown); number++)
		table__put(builder->table,
			   column_kinds[shown->kind].cell(builder, &place, shown->index, number));
}

static char *title_of(const struct builder *builder)
{
	const char *column = builder->analysis->bench->columns[builder->column].name;

	return text__of(*column ? "%s: %s" : "%s", builder->layout->title, column);
}

static void print_column(struct builder *builder, const struct table_output *output)
{
	const struct bench *bench = builder->analysis->bench;
	const struct bench_layout *layout = builder->layout;

	builder->table = table__titled(title_of(builder), NULL);
	table__may_continue_below(builder->table);
	table__column(builder->table, "", COLUMN_TEXT);
	for (size_t i = 0; i < layout->shown_count; i++)
		add_headers(builder, &layout->shown[i]);
	for (uint32_t row = 0; row < bench->row_count; row++) {
		table__row(builder->table);
		table__text(builder->table, bench->rows[row].name);
		for (size_t i = 0; i < layout->shown_count; i++)
			add_cells(builder, &layout->shown[i], row);
	}
	table__finish(builder->table, output);
	putc('\n', output->stream);
}

void bench_tables__print(const struct bench_analysis *analysis, const struct report_options *options,
			 const struct table_output *output)
{
	struct builder builder = {
		.analysis = analysis,
		.layout = bench_layout__of(analysis->bench->kind),
		.unit = bench_tables__unit(analysis),
		.history = options->history,
		.is_brief = output->style == TABLE_TEXT && report__is_brief(options, output),
	};

	for (; builder.column < analysis->bench->column_count; builder.column++)
		print_column(&builder, output);
}
