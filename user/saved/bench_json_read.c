// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/bench_json.h"

#include <math.h>
#include <string.h>

#include "saved/bench_check.h"
#include "saved/json_read.h"

enum { LINES_MAX = 1000 };

bool bench_json__is(struct json_object *root)
{
	return json__is_of_family(root, "forktax-bench/");
}

static void check_schema(struct reader *reader, struct json_object *root)
{
	const char *schema = json_object_get_string(json_object_object_get(root, "schema"));

	if (!bench_json__is(root))
		reader__fail(reader, "JSON, but not a saved measurement of forktax bench");
	else if (strcmp(schema, BENCH_SCHEMA) != 0)
		reader__fail(reader, "a measurement of another schema than " BENCH_SCHEMA
				     "; read it with the version that wrote it");
}

/* Calls `read` for each element of the array, which must be an object. */
static void each(struct reader *reader, struct json_object *in, const char *key,
		 struct bench *bench,
		 void (*read)(struct reader *reader, struct json_object *in, struct bench *bench,
			      size_t index))
{
	struct json_object *array = reader__array(reader, in, key);
	size_t count = array ? json_object_array_length(array) : 0;

	for (size_t i = 0; i < count && !reader->reason; i++) {
		struct json_object *element = json_object_array_get_idx(array, i);

		reader->list = key;
		reader->index = i;
		if (json_object_is_type(element, json_type_object))
			read(reader, element, bench, i);
		else
			reader__fail(reader, "no object");
		reader->list = NULL;
	}
}

static double number_or_nan(struct reader *reader, struct json_object *in, const char *key)
{
	return reader__is_null(in, key) ? NAN : reader__number(reader, in, key);
}

static void read_note(struct reader *reader, struct json_object *in, struct bench_notes *notes)
{
	char *name = reader__needed_text(reader, in, "name");
	char *value = reader__text(reader, in, "value");

	if (!reader->reason)
		bench_notes__add(notes, name, value);
	free(name);
	free(value);
}

static void read_setting(struct reader *reader, struct json_object *in, struct bench *bench,
			 size_t index)
{
	read_note(reader, in, &bench->settings);
}

static void read_machine(struct reader *reader, struct json_object *in, struct bench *bench,
			 size_t index)
{
	read_note(reader, in, &bench->machine);
}

static void read_row(struct reader *reader, struct json_object *in, struct bench *bench,
		     size_t index)
{
	char *name = reader__needed_text(reader, in, "name");
	char *what = reader__text(reader, in, "what");

	if (!reader->reason)
		bench__add_row(bench, name, what);
	free(name);
	free(what);
}

static void read_column(struct reader *reader, struct json_object *in, struct bench *bench,
			size_t index)
{
	char *name = reader__needed_text(reader, in, "name");
	double value = number_or_nan(reader, in, "value");

	if (!reader->reason)
		bench__add_column(bench, name, value);
	free(name);
}

static void read_baseline(struct reader *reader, struct json_object *in, struct bench *bench,
			  size_t index)
{
	char *name = reader__needed_text(reader, in, "name");
	uint32_t row = reader__index(reader, in, "row", bench->row_count, BENCH_SAME);
	uint32_t column = reader__index(reader, in, "column", bench->column_count, BENCH_SAME);

	if (!reader->reason)
		bench__add_baseline(bench, name, row, column);
	free(name);
}

static void read_values(struct reader *reader, struct json_object *metrics,
			enum bench_metric metric, struct bench_cell *cell, size_t rounds)
{
	const char *key = metric_counters[metric].key;
	struct json_object *array;
	double *values;

	if (!metrics || !json_object_object_get_ex(metrics, key, NULL))
		return;
	array = reader__array(reader, metrics, key);
	if (array && json_object_array_length(array) != rounds)
		reader__fail(reader, "\"%s\" has not one value for each round", key);
	if (reader->reason)
		return;
	values = bench_cell__room(cell, metric, rounds);
	for (size_t i = 0; i < rounds; i++) {
		struct json_object *value = json_object_array_get_idx(array, i);

		if (value && !json_object_is_type(value, json_type_int) &&
		    !json_object_is_type(value, json_type_double))
			reader__fail(reader, "\"%s\" has a value that is no number", key);
		values[i] = value ? json_object_get_double(value) : NAN;
	}
}

static void read_cell(struct reader *reader, struct json_object *in, struct bench *bench,
		      size_t index)
{
	struct bench_cell *cell = &bench->cells[index < bench->cell_count ? index : 0];
	struct json_object *metrics, *per_op;

	if (index >= bench->cell_count ||
	    reader__count(reader, in, "row") != index / bench->column_count ||
	    reader__count(reader, in, "column") != index % bench->column_count) {
		reader__fail(reader, "not the cell that belongs here, row after row");
		return;
	}
	cell->state = reader__key(reader, in, "state", bench_state_keys, BENCH_STATE_COUNT);
	cell->reason = reader__text(reader, in, "reason");
	cell->remedy = reader__text(reader, in, "remedy");
	cell->command = reader__text(reader, in, "command");
	cell->operations = reader__count(reader, in, "operations");
	cell->untraced = reader__text(reader, in, "untraced");
	metrics = reader__object(reader, in, "metrics");
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++)
		read_values(reader, metrics, metric, cell, bench->rounds);
	per_op = reader__object(reader, in, "per_op");
	for (int count = 0; count < PER_OP_COUNT; count++) {
		const char *key = per_op_counters[count].key;

		if (per_op && json_object_object_get_ex(per_op, key, NULL))
			cell->per_op[count] = number_or_nan(reader, per_op, key);
	}
}

static enum bench_metric read_metric(struct reader *reader, struct json_object *in)
{
	return reader__counter(reader, in, "metric", metric_counters, BENCH_METRIC_COUNT);
}

static void read_history(struct reader *reader, struct json_object *in, struct bench *bench,
			 size_t index)
{
	char *source = reader__needed_text(reader, in, "source");
	uint32_t row = reader__index(reader, in, "row", bench->row_count, BENCH_SAME);
	uint32_t column = reader__index(reader, in, "column", bench->column_count, BENCH_SAME);
	enum bench_metric metric = read_metric(reader, in);
	double value = reader__number(reader, in, "value");

	if (row == BENCH_SAME || column == BENCH_SAME)
		reader__fail(reader, "a figure of old needs a row and a column");
	if (!reader->reason)
		bench__add_history(bench, row, column, metric, value, source);
	free(source);
}

static void read_texts(struct reader *reader, struct json_object *root, struct bench *bench)
{
	struct json_object *words = reader__array(reader, root, "command");
	struct json_object *warnings = reader__array(reader, root, "warnings");
	size_t count = words ? json_object_array_length(words) : 0;

	bench->command = reader__room(words, sizeof(*bench->command) * 2);
	for (size_t i = 0; i < count && !reader->reason; i++)
		bench->command[bench->command_count++] = reader__element_text(reader, words, i);
	count = warnings ? json_object_array_length(warnings) : 0;
	for (size_t i = 0; i < count && !reader->reason; i++) {
		char *text = reader__element_text(reader, warnings, i);

		if (text)
			bench__warn(bench, "%s", text);
		free(text);
	}
}

static void read_axis(struct reader *reader, struct json_object *root, struct bench *bench)
{
	struct json_object *axis;

	if (reader__is_null(root, "axis"))
		return;
	axis = reader__object(reader, root, "axis");
	bench->axis.name = reader__needed_text(reader, axis, "name");
	bench->axis.unit = reader__text(reader, axis, "unit");
}

/* Before room is made for the cells. */
static void check_size(struct reader *reader, struct json_object *root, struct bench *bench)
{
	struct json_object *cells = reader__array(reader, root, "cells");
	size_t count = cells ? json_object_array_length(cells) : 0;

	if (bench->row_count > LINES_MAX || bench->column_count > LINES_MAX)
		reader__fail(reader, "more than %d rows or columns", LINES_MAX);
	else if (!bench->column_count)
		reader__fail(reader, "there are no columns");
	else if (count != bench->row_count * bench->column_count)
		reader__fail(reader, "there are not as many cells as rows by columns");
}

static void read_bench(struct reader *reader, struct json_object *root, struct bench *bench)
{
	bench->version = reader__text(reader, root, "version");
	bench->kind = reader__key(reader, root, "kind", bench_kind_keys, BENCH_KIND_COUNT);
	bench->started = reader__count(reader, root, "started");
	bench->wall_ns = reader__count(reader, root, "wall_ns");
	bench->interrupted = reader__bool(reader, root, "interrupted");
	bench->rounds = reader__count(reader, root, "rounds");
	read_texts(reader, root, bench);
	read_axis(reader, root, bench);
	each(reader, root, "settings", bench, read_setting);
	each(reader, root, "machine", bench, read_machine);
	each(reader, root, "rows", bench, read_row);
	each(reader, root, "columns", bench, read_column);
	if (reader->reason)
		return;
	check_size(reader, root, bench);
	if (reader->reason)
		return;
	bench__make_cells(bench);
	each(reader, root, "baselines", bench, read_baseline);
	each(reader, root, "cells", bench, read_cell);
	each(reader, root, "history", bench, read_history);
	if (!reader->reason)
		reader->reason = bench__contradiction(bench);
}

struct bench *bench_json__from(struct json_object *root, char **reason)
{
	struct bench *bench = bench__new(BENCH_FORK);
	struct reader reader = { 0 };

	check_schema(&reader, root);
	if (!reader.reason)
		read_bench(&reader, root, bench);
	*reason = reader.reason;
	if (!reader.reason)
		return bench;
	bench__free(bench);
	return NULL;
}
