// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The saved comparison holds what was measured; reading computes the figures again from that.
 * The figures stand in it as well, for readers that are not forktax. Runs are written one by one:
 * each may be large.
 */
#include "saved/comparison_json.h"

#include <math.h>

#include "saved/json_figures.h"
#include "saved/json_write.h"
#include "saved/run_json.h"

static struct json_object *libraries(const struct elf_facts *facts)
{
	struct json_object *array;

	if (!facts->libraries_known)
		return NULL;
	array = json__array();
	for (size_t i = 0; i < facts->library_count; i++) {
		struct json_object *library = json__object();

		json__add(library, "name", json__text(facts->libraries[i].name));
		json__add(library, "path", json__text(facts->libraries[i].path));
		json__append(array, library);
	}
	return array;
}

static struct json_object *bind_now(const struct elf_facts *facts)
{
	struct json_object *object = json__object();

	json__add(object, "DT_BIND_NOW", json__bool(facts->bind_now & NOW_BY_TAG));
	json__add(object, "DF_BIND_NOW", json__bool(facts->bind_now & NOW_BY_FLAGS));
	json__add(object, "DF_1_NOW", json__bool(facts->bind_now & NOW_BY_FLAGS_1));
	return object;
}

static struct json_object *file(const struct elf_facts *facts)
{
	struct json_object *object;

	if (!facts)
		return NULL;
	object = json__object();
	json__add(object, "size", json__count(facts->size));
	json__add(object, "blocks_kib", json__count(facts->blocks));
	json__add(object, "linkage", json__text(elf_linkage_keys[facts->linkage]));
	json__add(object, "libc", json__text(elf_libc_keys[facts->libc]));
	json__add(object, "relro", json__text(elf_relro_keys[facts->relro]));
	json__add(object, "bind_now", bind_now(facts));
	json__add(object, "bits", json__integer(facts->bits));
	json__add(object, "type", json__integer(facts->type));
	json__add(object, "machine", json__integer(facts->machine));
	json__add(object, "pie", json__bool(facts->pie));
	json__add(object, "stripped", json__bool(facts->stripped));
	json__add(object, "has_sections", json__bool(facts->has_sections));
	json__add(object, "interp", json__text(facts->interp));
	json__add(object, "needed", json__texts(facts->needed, facts->needed_count));
	json__add(object, "libraries", libraries(facts));
	return object;
}

static struct json_object *samples(const double *values, size_t count)
{
	struct json_object *array = json__array();

	for (size_t i = 0; i < count; i++)
		json__append(array, isnan(values[i]) ? NULL : json_figure__number(values[i]));
	return array;
}

static struct json_object *column(const struct comparison *comparison, size_t index)
{
	const struct compare_column *column = &comparison->columns[index];
	const struct compare_timing *timing = &comparison->timings[index];
	struct json_object *object = json__object(), *cpu = NULL, *others = NULL;
	size_t words = 0;

	while (column->command && column->command[words])
		words++;
	if (column->cpu_ns)
		cpu = samples(column->cpu_ns, column->sample_count);
	if (column->others)
		others = samples(column->others, column->sample_count);
	json__add(object, "label", json__text(column->label));
	json__add(object, "command", json__texts(column->command, words));
	json__add(object, "path", json__text(column->path));
	json__add(object, "exact", json__bool(compare_column__is_exact(column)));
	json__add(object, "file", file(column->facts));
	json__add(object, "file_error", json__text(column->facts_reason));
	json__add(object, "samples_ns", samples(column->samples_ns, column->sample_count));
	json__add(object, "cpu_samples_ns", cpu);
	json__add(object, "others_share", others);
	json__add(object, "wall_ns", json_figure__estimate(&timing->wall));
	json__add(object, "ratio", json_figure__estimate(&timing->ratio));
	json__add(object, "cpu_ns", json_figure__estimate(&timing->cpu));
	json__add(object, "cpu_ratio", json_figure__estimate(&timing->cpu_ratio));
	return object;
}

static struct json_object *row(const struct comparison *comparison, size_t index)
{
	const struct compare_row *row = &comparison->rows[index];
	struct json_object *object = json__object(), *cells = json__array();

	for (size_t i = 0; i < comparison->column_count; i++)
		json__append(cells, json_figure__spread(&row->cells[i]));
	json__add(object, "section", json__text(compare_section_keys[row->section]));
	json__add(object, "key", json__text(row->key));
	json__add(object, "cells", cells);
	return object;
}

static void put_array(const struct comparison *comparison, FILE *stream, const char *key,
		      size_t count,
		      struct json_object *(*element)(const struct comparison *, size_t))
{
	fprintf(stream, ",\n\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n" : "\n", stream);
		json_figure__put(element(comparison, i), stream);
	}
	putc(']', stream);
}

static int put_runs(const struct comparison *comparison, FILE *stream)
{
	fputs(",\n\"runs\":[", stream);
	for (size_t i = 0; i < comparison->column_count; i++) {
		fputs(i ? ",\n[" : "\n[", stream);
		for (size_t k = 0; k < comparison->columns[i].run_count; k++) {
			if (k)
				fputs(",\n", stream);
			if (run_json__write(comparison->columns[i].runs[k], stream))
				return -1;
		}
		putc(']', stream);
	}
	putc(']', stream);
	return 0;
}

int compare_json__put_columns(const struct comparison *comparison, FILE *stream)
{
	put_array(comparison, stream, "columns", comparison->column_count, column);
	return put_runs(comparison, stream);
}

int compare_json__write(const struct comparison *comparison, FILE *stream)
{
	fputs("{\n\"schema\":\"" COMPARE_SCHEMA "\",\n\"version\":\"" FORKTAX_VERSION "\"", stream);
	fprintf(stream, ",\n\"baseline\":%zu", comparison->baseline);
	put_array(comparison, stream, "rows", comparison->row_count, row);
	if (compare_json__put_columns(comparison, stream))
		return -1;
	return json_figure__end(stream);
}
