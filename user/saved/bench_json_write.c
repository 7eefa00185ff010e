// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/bench_json.h"

#include <errno.h>
#include <math.h>

#include "saved/json_write.h"

static void put(struct json_object *value, FILE *stream)
{
	const int style = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;

	fputs(json_object_to_json_string_ext(value, style), stream);
	json_object_put(value);
}

static void put_key(FILE *stream, const char *key, struct json_object *value)
{
	fprintf(stream, ",\n\"%s\":", key);
	put(value, stream);
}

static struct json_object *notes(const struct bench_notes *notes)
{
	struct json_object *array = json__array();

	for (size_t i = 0; i < notes->count; i++) {
		struct json_object *note = json__object();

		json__add(note, "name", json__text(notes->notes[i].name));
		json__add(note, "value", json__text(notes->notes[i].value));
		json__append(array, note);
	}
	return array;
}

static struct json_object *axis(const struct bench_axis *axis)
{
	struct json_object *object;

	if (!axis->name)
		return NULL;
	object = json__object();
	json__add(object, "name", json__text(axis->name));
	json__add(object, "unit", json__text(axis->unit));
	return object;
}

static struct json_object *row(const struct bench *bench, size_t index)
{
	struct json_object *object = json__object();

	json__add(object, "name", json__text(bench->rows[index].name));
	json__add(object, "what", json__text(bench->rows[index].what));
	return object;
}

static struct json_object *column(const struct bench *bench, size_t index)
{
	struct json_object *object = json__object();

	json__add(object, "name", json__text(bench->columns[index].name));
	json__add(object, "value", json__number(bench->columns[index].value));
	return object;
}

static struct json_object *baseline(const struct bench *bench, size_t index)
{
	const struct bench_baseline *baseline = &bench->baselines[index];
	struct json_object *object = json__object();

	json__add(object, "name", json__text(baseline->name));
	json__add(object, "row", json__index(baseline->row));
	json__add(object, "column", json__index(baseline->column));
	return object;
}

static struct json_object *metrics(const struct bench_cell *cell, size_t rounds)
{
	struct json_object *object = json__object();

	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++) {
		struct json_object *array;

		if (!cell->values[metric])
			continue;
		array = json__array();
		for (size_t round = 0; round < rounds; round++)
			json__append(array, json__number(cell->values[metric][round]));
		json__add(object, metric_counters[metric].key, array);
	}
	return object;
}

static struct json_object *cell(const struct bench *bench, size_t index)
{
	const struct bench_cell *cell = &bench->cells[index];
	struct json_object *object = json__object(), *per_op = json__object();

	for (int count = 0; count < PER_OP_COUNT; count++) {
		if (!isnan(cell->per_op[count]))
			json__add(per_op, per_op_counters[count].key,
				  json__number(cell->per_op[count]));
	}
	json__add(object, "row", json__index(index / bench->column_count));
	json__add(object, "column", json__index(index % bench->column_count));
	json__add(object, "state", json__text(bench_state_keys[cell->state]));
	json__add(object, "reason", json__text(cell->reason));
	json__add(object, "remedy", json__text(cell->remedy));
	json__add(object, "command", json__text(cell->command));
	json__add(object, "operations", json__count(cell->operations));
	json__add(object, "metrics", metrics(cell, bench->rounds));
	json__add(object, "per_op", per_op);
	json__add(object, "untraced", json__text(cell->untraced));
	return object;
}

static struct json_object *history(const struct bench *bench, size_t index)
{
	const struct bench_history *figure = &bench->history[index];
	struct json_object *object = json__object();

	json__add(object, "row", json__index(figure->row));
	json__add(object, "column", json__index(figure->column));
	json__add(object, "metric", json__text(metric_counters[figure->metric].key));
	json__add(object, "value", json__number(figure->value));
	json__add(object, "source", json__text(figure->source));
	return object;
}

static void put_list(FILE *stream, const char *key, const struct bench *bench, size_t count,
		     struct json_object *(*element)(const struct bench *bench, size_t index))
{
	fprintf(stream, ",\n\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n" : "\n", stream);
		put(element(bench, i), stream);
	}
	putc(']', stream);
}

int bench_json__write(const struct bench *bench, FILE *stream)
{
	fputs("{\n\"schema\":\"" BENCH_SCHEMA "\"", stream);
	put_key(stream, "version", json__text(bench->version));
	put_key(stream, "kind", json__text(bench_kind_keys[bench->kind]));
	put_key(stream, "command", json__texts(bench->command, bench->command_count));
	put_key(stream, "started", json__count(bench->started));
	put_key(stream, "wall_ns", json__count(bench->wall_ns));
	put_key(stream, "interrupted", json__bool(bench->interrupted));
	put_key(stream, "rounds", json__count(bench->rounds));
	put_key(stream, "settings", notes(&bench->settings));
	put_key(stream, "machine", notes(&bench->machine));
	put_key(stream, "warnings", json__texts(bench->warnings, bench->warning_count));
	put_key(stream, "axis", axis(&bench->axis));
	put_list(stream, "rows", bench, bench->row_count, row);
	put_list(stream, "columns", bench, bench->column_count, column);
	put_list(stream, "baselines", bench, bench->baseline_count, baseline);
	put_list(stream, "cells", bench, bench->cell_count, cell);
	put_list(stream, "history", bench, bench->history_count, history);
	fputs("\n}\n", stream);
	if (fflush(stream) == 0 && !ferror(stream))
		return 0;
	if (!errno)
		errno = EIO;
	return -1;
}
