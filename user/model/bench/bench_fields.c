// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of a measurement: schema forktax-bench/1. */
#include "base/text.h"
#include "model/bench/bench.h"
#include "model/rows/field_rows.h"

enum { LINES_MAX = 1000 };

static const struct words kind_words = WORDS_OF(bench_kind_keys);
static const struct words state_words = WORDS_OF(bench_state_keys);
static const struct words metric_words = WORDS_OF(metric_counters);
static const struct words per_op_words = WORDS_OF(per_op_counters);

static const struct bench *bench_of(const struct scope *scope)
{
	return scope__root(scope);
}

static size_t bench_row_count(const struct scope *scope)
{
	return bench_of(scope)->row_count;
}

static size_t bench_columns(const struct scope *scope)
{
	return bench_of(scope)->column_count;
}

static size_t bench_rounds(const struct scope *scope)
{
	return bench_of(scope)->rounds;
}

static size_t bench_cells(const struct scope *scope)
{
	return bench_row_count(scope) * bench_columns(scope);
}

#define S struct bench_note
static const struct field note_fields[] = {
	TEXT("name", name),
	TEXT("value", value, NULLABLE, .note = "null: not known"),
};
static const struct shape note_shape = SHAPE_OF(note);
#undef S

#define S struct bench_row
static const struct field row_fields[] = {
	TEXT("name", name, .note = "unique: two files are matched by it"),
	TEXT("what", what, NULLABLE),
};
static const struct shape row_shape = SHAPE_OF(row);
#undef S

#define S struct bench_column
static const struct field column_fields[] = {
	TEXT("name", name, .note = "unique"),
	NUMBER("value", value, NULLABLE, .note = "its size; null: columns have none"),
};
static const struct shape column_shape = SHAPE_OF(column);
#undef S

#define S struct bench_baseline
static const struct field baseline_fields[] = {
	TEXT("name", name),
	INDEX("row", row, bench_row_count, NULLABLE, .note = "null: the cell's own"),
	INDEX("column", column, bench_columns, NULLABLE, .note = "null: the cell's own"),
};
static const struct shape bench_baseline_shape = SHAPE_OF(baseline, .note = "the cell that ratios compare with");
#undef S

static const void *row_of_cell(const struct scope *scope, union computed *computed)
{
	computed->count = scope->index / bench_columns(scope);
	return computed;
}

static const void *column_of_cell(const struct scope *scope, union computed *computed)
{
	computed->count = scope->index % bench_columns(scope);
	return computed;
}

#define CELL_LAW .law = "cells are not in the order of rows and columns: see the %s of this one"

static const struct field round_value = { .kind = FIELD_NUMBER, NULLABLE };
static const struct field metric_values = {
	.kind = FIELD_LIST, .element = &round_value, .size = sizeof(double), .length = bench_rounds,
	.law = "\"%s\" does not have one value per round", .omitted = true,
};
static const struct field per_op_mean = { .kind = FIELD_NUMBER, NULLABLE, .omitted = true };

#define S struct bench_cell
static const struct field cell_fields[] = {
	COMPUTED("row", FIELD_COUNT, row_of_cell, CELL_LAW, .note = "index"),
	COMPUTED("column", FIELD_COUNT, column_of_cell, CELL_LAW, .note = "index"),
	KEY("state", state, state_words),
	TEXT("reason", reason, NULLABLE, .note = "why it was not measured"),
	TEXT("remedy", remedy, NULLABLE, .note = "what to do"),
	TEXT("command", command, NULLABLE, .note = "a command that runs its loop alone; null: not a program"),
	COUNT("operations", operations, .note = "in each round"),
	MAP("metrics", values, metric_words, metric_values,
	    .note = "one value per round, in order; null: that round has none"),
	MAP("per_op", per_op, per_op_words, per_op_mean,
	    .note = "mean counts; those that were not counted are left out"),
	TEXT("untraced", untraced, NULLABLE, .note = "why per_op is empty"),
};
static const struct shape cell_shape = SHAPE_OF(cell);
#undef S

static char *bench_law(const struct scope *scope)
{
	return bench__contradiction(scope->self);
}

#define S struct bench
static const struct field bench_fields[] = {
	TEXT("version", version, NULLABLE, .note = "of forktax"),
	KEY("kind", kind, kind_words),
	VALUES("command", command, command_count, text_element,
	       .note = "the command line, from the name of the measurement on"),
	MACHINE_ROWS,
	COUNT("started", started, .note = "nanoseconds since the epoch"),
	COUNT("wall_ns", wall_ns, .note = "of the whole measurement"),
	BOOL("interrupted", interrupted,
	     .note = "ended by a signal: there are fewer rounds than asked for, or cells are pending"),
	COUNT("rounds", rounds, .note = "rounds that all cells have completed"),
	LIST("settings", settings.notes, settings.count, note_shape, .note = "options in force"),
	LIST("machine", facts.notes, facts.count, note_shape, .note = "facts about the machine"),
	VALUES("warnings", warnings, warning_count, text_element, .note = "what disturbed the measurement"),
	LIST("rows", rows, row_count, row_shape, .lines = true, .max = LINES_MAX),
	LIST("columns", columns, column_count, column_shape, .lines = true, .max = LINES_MAX),
	LIST("baselines", baselines, baseline_count, bench_baseline_shape, .lines = true),
	LIST("cells", cells, cell_count, cell_shape, .lines = true, .length = bench_cells,
	     .law = "the number of %s is not rows times columns",
	     .note = "one for each row and column, row after row"),
};
const struct shape bench_shape = SHAPE_OF(bench, .law = bench_law, .document = BENCH_SCHEMA,
	.note = "A measurement of forktax bench, schema forktax-bench/1: what was measured, and nothing that "
		"follows from it. The keys of metrics and per_op are those of counters.md");
#undef S

void bench__free(struct bench *bench)
{
	shape__free(&bench_shape, bench);
}
