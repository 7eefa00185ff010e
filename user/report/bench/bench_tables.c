// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of a bench: which figures each kind shows. */
#include <math.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/bench/bench_cells.h"
#include "report/bench/bench_report.h"
#include "report/shown.h"

/* What is long is readable in a small unit, what is short in a large one is not. */
static double smallest(const struct bench_analysis *analysis, enum bench_metric metric)
{
	double smallest = INFINITY;

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		const struct estimate *figure = &analysis->cells[i].metrics[metric];

		if (figure->known && figure->value > 0)
			smallest = fmin(smallest, figure->value);
	}
	return isinf(smallest) ? 0 : smallest;
}

static struct unit unit_of_times(const struct bench_analysis *analysis)
{
	return unit__of_time(smallest(analysis, BENCH_METRIC_TIME));
}

/* What a table is about: a column of the bench. */
struct bench_table {
	const struct bench *bench;
	const struct bench_analysis *analysis;
	struct unit unit; /* of times */
	bool in_full;
};

struct bench_line {
	const char *name;
	const struct bench_figures *figures;
	const struct bench_cell *cell;
};

static struct unit unit_of(const struct bench_table *about, int metric)
{
	if (bench_cells__is_size(metric))
		return unit__of_size(smallest(about->analysis, metric));
	return bench_cells__is_time(metric) ? about->unit : unit__none;
}

static char *with_unit(const char *name, struct unit unit)
{
	return *unit.name ? text__of("%s (%s)", name, unit.name) : text__of("%s", name);
}

static char *metric_header(const struct column *column, const void *subject, int metric)
{
	return with_unit(column->header ? column->header : metric_counters[metric].header, unit_of(subject, metric));
}

static char *per_op_header(const struct column *column, const void *subject, int per_op)
{
	return text__of("%s", column->header ? column->header : per_op_counters[per_op].header);
}

static char *ratio_header(const struct column *column, const void *subject, int baseline)
{
	const struct bench_table *about = subject;

	return text__of("%s %s", column->header, about->bench->baselines[baseline].name);
}

/* A single row is compared with nothing. */
static int baselines_of(const void *subject)
{
	const struct bench *bench = ((const struct bench_table *)subject)->bench;

	return bench->row_count > 1 ? (int)bench->baseline_count : 0;
}

static const struct estimate *metric_of(const void *row, int metric)
{
	return &((const struct bench_line *)row)->figures->metrics[metric];
}

static struct cell metric_cell(const void *subject, const void *row, int metric)
{
	return bench_cells__median(metric_of(row, metric), unit_of(subject, metric));
}

static struct cell interval_cell(const void *subject, const void *row, int metric)
{
	return bench_cells__interval(metric_of(row, metric), unit_of(subject, metric));
}

static struct cell rate_cell(const void *subject, const void *row, int index)
{
	return bench_cells__rate(&((const struct bench_line *)row)->figures->rate);
}

static struct cell total_cell(const void *subject, const void *row, int times)
{
	const struct estimate *time = metric_of(row, BENCH_METRIC_TIME);

	return cell__number(time->known ? time->value * times / 1e9 : NAN, 2);
}

static struct cell ratio_cell(const void *subject, const void *row, int baseline)
{
	return bench_cells__against(((const struct bench_line *)row)->figures, baseline,
				    !((const struct bench_table *)subject)->in_full);
}

static struct cell per_op_cell(const void *subject, const void *row, int per_op)
{
	return bench_cells__number(((const struct bench_line *)row)->cell->per_op[per_op], unit__none);
}

/* Header NULL: the dictionary's; units of time are added. */
#define NAME { "", TEXT_OF(struct bench_line, name) }
#define FIGURE(header, function, id, ...) \
	{ header, COLUMN_ESTIMATE, .cell = function, .index = BENCH_METRIC_##id, \
	  .header_of = metric_header, IF_KNOWN, __VA_ARGS__ }
#define METRIC(header, id, ...) FIGURE(header, metric_cell, id, __VA_ARGS__)
#define PER_OP(header, id, ...) \
	{ header, COLUMN_ESTIMATE, .cell = per_op_cell, .index = PER_OP_##id, \
	  .header_of = per_op_header, IF_KNOWN, __VA_ARGS__ }
#define RATE(header) { header, COLUMN_ESTIMATE, .cell = rate_cell }
#define RATIOS(header) \
	{ header, COLUMN_ESTIMATE, .cell = ratio_cell, .repeat_of = baselines_of, .header_of = ratio_header }
#define IN_FULL_ONLY WHEN(struct bench_table, in_full)
#define INTERVAL FIGURE("95 % interval", interval_cell, TIME, IN_FULL_ONLY)
#define COLUMNS(list) .columns = list, .column_count = sizeof(list) / sizeof((list)[0])

/* The table of 2006, and the counts that explain it. */
static const struct column fork_columns[] = {
	NAME,
	METRIC("per fork", TIME),
	INTERVAL,
	RATE("forks/s"),
	RATIOS("against"),
	METRIC("CPU", CPU),
	PER_OP("faults", MINOR_FAULTS),
	PER_OP(NULL, COW_COPIES),
	PER_OP(NULL, LD_SO_PAGES),
};

/* Table 28-3: the time of 100,000 processes, and how many are created in a second. */
static const struct column spawn_columns[] = {
	NAME,
	METRIC("each", TIME),
	INTERVAL,
	{ "100000 take (s)", COLUMN_ESTIMATE, .cell = total_cell, .index = 100000, IN_FULL_ONLY },
	RATE("per s"),
	RATIOS("against"),
	METRIC("CPU of parent", OWN_CPU, IN_FULL_ONLY),
	METRIC("of both", CPU, IN_FULL_ONLY),
	PER_OP(NULL, SYSCALLS),
	PER_OP("faults", MINOR_FAULTS),
	METRIC(NULL, VSZ, IN_FULL_ONLY),
};

static const struct column serve_columns[] = {
	NAME,
	RATE("requests/s"),
	RATIOS("by"),
	METRIC("CPU", CPU),
	METRIC(NULL, LATENCY_P50, IN_FULL_ONLY),
	METRIC(NULL, LATENCY_P99),
	METRIC(NULL, LATENCY_P999, IN_FULL_ONLY),
	METRIC(NULL, FAULTS),
	PER_OP(NULL, COW_COPIES, IN_FULL_ONLY),
	PER_OP(NULL, LD_SO_PAGES, IN_FULL_ONLY),
	METRIC(NULL, PSS, IN_FULL_ONLY),
	METRIC(NULL, UNSHARED),
};

static const struct bench_layout layouts[BENCH_KIND_COUNT] = {
	[BENCH_FORK] = { "fork, child ends, parent waits", COLUMNS(fork_columns) },
	[BENCH_SPAWN] = { "Create a process, wait for it", COLUMNS(spawn_columns) },
	[BENCH_SERVE] = { "connect, request, answer, close", COLUMNS(serve_columns),
			  .after = bench_serve__print_after },
};

const struct bench_layout *bench_layout__of(enum bench_kind kind)
{
	return &layouts[kind];
}

static void print_column(const struct bench_analysis *analysis, const struct bench_table *about,
			 uint32_t column, const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	const struct bench_layout *layout = bench_layout__of(bench->kind);
	const char *name = bench->columns[column].name;
	struct table *table = table__titled(text__of(*name ? "%s: %s" : "%s", layout->title, name), NULL);

	table__may_continue_below(table);
	table__columns(table, layout->columns, layout->column_count, about);
	for (uint32_t row = 0; row < bench->row_count; row++) {
		const size_t cell = row * bench->column_count + column;

		table__add(table, &(struct bench_line){ bench->rows[row].name, &analysis->cells[cell],
							&bench->cells[cell] });
	}
	table__finish(table, output);
	putc('\n', output->stream);
}

/* Every column of the bench is one of the table: what counts most, and how it compares with the first baseline. */
static void add_side_by_side_columns(struct table *table, const struct bench *bench, bool has_baseline)
{
	table__column(table, "", COLUMN_TEXT);
	for (size_t i = 0; i < bench->column_count; i++) {
		autofree char *against = has_baseline ? text__of("against %s", bench->baselines[0].name) : NULL;

		table__column(table, bench->columns[i].name, COLUMN_ESTIMATE);
		if (!has_baseline)
			continue;
		table__column(table, against, COLUMN_ESTIMATE);
		table__spare_column(table, 1);
	}
}

static void print_side_by_side(const struct bench_analysis *analysis, const struct bench_table *about,
			       const struct table_output *output)
{
	const struct bench *bench = analysis->bench;
	const struct bench_layout *layout = bench_layout__of(bench->kind);
	const bool has_baseline = baselines_of(about), is_rate = bench->kind == BENCH_SERVE;
	struct table *table =
		table__titled(text__of("%s (%s)", layout->title, is_rate ? "requests/s" : about->unit.name), NULL);

	add_side_by_side_columns(table, bench, has_baseline);
	for (size_t row = 0; row < bench->row_count; row++) {
		table__named_row(table, bench->rows[row].name);
		for (size_t column = 0; column < bench->column_count; column++) {
			const struct bench_figures *figures = &analysis->cells[row * bench->column_count + column];

			table__put(table,
				   is_rate ? bench_cells__rate(&figures->rate)
					   : bench_cells__median(&figures->metrics[BENCH_METRIC_TIME], about->unit));
			if (has_baseline)
				table__put(table, bench_cells__against(figures, 0, true));
		}
	}
	table__finish(table, output);
	wrap__print(NULL, "(A table for each column, with intervals and counts: -v.)", 0, 0, output);
	putc('\n', output->stream);
}

/* Do they take most of a screen? */
static bool are_long(const struct bench *bench)
{
	enum { LINES_OF_EACH = 4, LINES_MOST = 30 };

	return bench->column_count > 1 && bench->column_count * (bench->row_count + LINES_OF_EACH) > LINES_MOST;
}

void bench_tables__print(const struct bench_analysis *analysis, const struct report_options *options,
			 const struct table_output *output)
{
	const struct bench_table about = {
		.bench = analysis->bench,
		.analysis = analysis,
		.unit = unit_of_times(analysis),
		.in_full = output->style != TABLE_TEXT || !report__is_brief(options),
	};

	if (!about.in_full && are_long(analysis->bench)) {
		print_side_by_side(analysis, &about, output);
		return;
	}
	for (uint32_t column = 0; column < analysis->bench->column_count; column++)
		print_column(analysis, &about, column, output);
}
