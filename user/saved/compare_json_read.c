// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/comparison_json.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "saved/json_read.h"
#include "saved/run_json.h"

static size_t length_of(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}

static char **read_strings(struct reader *reader, struct json_object *in, const char *key,
			   size_t *count)
{
	struct json_object *array = reader__array(reader, in, key);
	size_t length = length_of(array);
	char **texts = checked_calloc(length + 1, sizeof(*texts));

	*count = 0;
	for (size_t i = 0; i < length && !reader->reason; i++) {
		texts[*count] = reader__element_text(reader, array, i);
		if (!texts[*count])
			reader__fail(reader, "\"%s\" lists something that is no text", key);
		else
			++*count;
	}
	return texts;
}

static void read_libraries(struct reader *reader, struct json_object *in, struct elf_facts *facts)
{
	struct json_object *array;

	facts->libraries_known = json_object_object_get(in, "libraries");
	if (!facts->libraries_known)
		return;
	array = reader__array(reader, in, "libraries");
	facts->libraries = checked_calloc(length_of(array), sizeof(*facts->libraries));
	for (size_t i = 0; i < length_of(array) && !reader->reason; i++) {
		struct json_object *element = json_object_array_get_idx(array, i);
		struct elf_library *library = &facts->libraries[facts->library_count++];

		if (!json_object_is_type(element, json_type_object)) {
			reader__fail(reader, "\"libraries\" lists something that is no library");
			return;
		}
		library->name = reader__text(reader, element, "name");
		library->path = reader__text(reader, element, "path");
		if (!library->name)
			reader__fail(reader, "a library has no name");
	}
}

static unsigned int read_bind_now(struct reader *reader, struct json_object *in)
{
	struct json_object *now = reader__object(reader, in, "bind_now");

	return (reader__bool(reader, now, "DT_BIND_NOW") ? NOW_BY_TAG : 0) |
	       (reader__bool(reader, now, "DF_BIND_NOW") ? NOW_BY_FLAGS : 0) |
	       (reader__bool(reader, now, "DF_1_NOW") ? NOW_BY_FLAGS_1 : 0);
}

static struct elf_facts *read_facts(struct reader *reader, struct json_object *column)
{
	struct elf_facts *facts;
	struct json_object *in;

	if (!json_object_object_get(column, "file"))
		return NULL;
	in = reader__object(reader, column, "file");
	facts = checked_calloc(1, sizeof(*facts));
	facts->size = reader__count(reader, in, "size");
	facts->blocks = reader__count(reader, in, "blocks_kib");
	facts->linkage = reader__key(reader, in, "linkage", elf_linkage_keys, LINKAGE_COUNT);
	facts->libc = reader__key(reader, in, "libc", elf_libc_keys, LIBC_COUNT);
	facts->relro = reader__key(reader, in, "relro", elf_relro_keys, RELRO_COUNT);
	facts->bind_now = read_bind_now(reader, in);
	facts->bits = reader__integer(reader, in, "bits", 0, 64);
	facts->type = reader__integer(reader, in, "type", 0, UINT16_MAX);
	facts->machine = reader__integer(reader, in, "machine", 0, UINT16_MAX);
	facts->pie = reader__bool(reader, in, "pie");
	facts->stripped = reader__bool(reader, in, "stripped");
	facts->has_sections = reader__bool(reader, in, "has_sections");
	facts->interp = reader__text(reader, in, "interp");
	facts->needed = read_strings(reader, in, "needed", &facts->needed_count);
	if (!reader->reason)
		read_libraries(reader, in, facts);
	return facts;
}

static double *read_times(struct reader *reader, struct json_object *in, const char *key,
			  bool may_be_zero, size_t *count)
{
	struct json_object *array = reader__array(reader, in, key);
	double *times = checked_calloc(length_of(array), sizeof(*times));

	*count = length_of(array);
	for (size_t i = 0; i < *count; i++) {
		times[i] = json_object_get_double(json_object_array_get_idx(array, i));
		if (!isfinite(times[i]) || times[i] < 0 || (times[i] == 0 && !may_be_zero))
			reader__fail(reader, "\"%s\" lists something that is no time", key);
	}
	return times;
}

static double *read_shares(struct reader *reader, struct json_object *in, const char *key,
			   size_t count)
{
	struct json_object *array = reader__array(reader, in, key);
	double *shares = checked_calloc(count, sizeof(*shares));

	if (length_of(array) != count)
		reader__fail(reader, "\"%s\" is of other runs than the times", key);
	for (size_t i = 0; i < count && !reader->reason; i++) {
		struct json_object *share = json_object_array_get_idx(array, i);

		shares[i] = share ? json_object_get_double(share) : NAN;
		if (shares[i] < 0 || shares[i] > 1)
			reader__fail(reader, "\"%s\" lists something that is no share", key);
	}
	return shares;
}

static void read_samples(struct reader *reader, struct json_object *in,
			 struct compare_column *column)
{
	size_t count;

	column->samples_ns = read_times(reader, in, "samples_ns", false,
					&column->sample_count);
	count = column->sample_count;
	if (json_object_object_get(in, "cpu_samples_ns"))
		column->cpu_ns = read_times(reader, in, "cpu_samples_ns", true, &count);
	if (count != column->sample_count)
		reader__fail(reader, "a column has CPU times of other runs than wall times");
	if (json_object_object_get(in, "others_share"))
		column->others = read_shares(reader, in, "others_share", column->sample_count);
}

static void read_column(struct reader *reader, struct json_object *in,
			struct compare_column *column)
{
	size_t words;

	column->label = reader__text(reader, in, "label");
	if (!column->label) {
		reader__fail(reader, "a column has no label");
		return;
	}
	column->command = read_strings(reader, in, "command", &words);
	column->path = reader__text(reader, in, "path");
	column->facts_reason = reader__text(reader, in, "file_error");
	column->facts = read_facts(reader, in);
	read_samples(reader, in, column);
}

static struct run *read_run(struct reader *reader, struct json_object *in)
{
	char *reason;
	struct run *run = run_json__from(in, &reason);

	if (!run)
		reader__fail(reader, "one of its runs: %s", reason);
	free(reason);
	return run;
}

static void read_runs(struct reader *reader, struct json_object *in, struct compare_column *column)
{
	if (!json_object_is_type(in, json_type_array)) {
		reader__fail(reader, "\"runs\" must have a list per column");
		return;
	}
	column->runs = checked_calloc(length_of(in), sizeof(struct run *));
	for (size_t i = 0; i < length_of(in) && !reader->reason; i++) {
		struct run *run = read_run(reader, json_object_array_get_idx(in, i));

		if (run)
			column->runs[column->run_count++] = run;
	}
}

bool compare_json__is(struct json_object *root)
{
	return json__is_of_family(root, "forktax-compare/");
}

static void check_schema(struct reader *reader, struct json_object *root)
{
	char *schema = reader__text(reader, root, "schema");

	if (!reader->reason && !compare_json__is(root))
		reader__fail(reader, "not a comparison of schema " COMPARE_SCHEMA);
	else if (!reader->reason && strcmp(schema, COMPARE_SCHEMA) != 0)
		reader__fail(reader, "a comparison of another schema than " COMPARE_SCHEMA
				     "; read it with the version that wrote it");
	free(schema);
}

/* Sample i of all columns is from round i; those that were saved runs have none. */
static bool are_of_same_rounds(const struct compare_column *first,
			       const struct compare_column *column)
{
	return !first->sample_count || !column->sample_count ||
	       first->sample_count == column->sample_count;
}

/* Fills as many columns as the list has, as far as nothing is wrong with them. */
static void read_columns(struct reader *reader, struct json_object *list, struct json_object *runs,
			 struct compare_column *columns)
{
	for (size_t i = 0; i < length_of(list) && !reader->reason; i++) {
		struct json_object *column = json_object_array_get_idx(list, i);

		if (!json_object_is_type(column, json_type_object))
			reader__fail(reader, "\"columns\" lists something that is no column");
		else
			read_column(reader, column, &columns[i]);
		if (!reader->reason && !are_of_same_rounds(&columns[0], &columns[i]))
			reader__fail(reader, "columns have times of different rounds");
		if (!reader->reason)
			read_runs(reader, json_object_array_get_idx(runs, i), &columns[i]);
	}
}

struct compare_column *compare_json__columns(struct reader *reader, struct json_object *root,
					     size_t *count)
{
	struct json_object *list = reader__array(reader, root, "columns");
	struct json_object *runs = reader__array(reader, root, "runs");
	struct compare_column *columns;

	*count = length_of(list);
	if (!reader->reason && (!*count || length_of(runs) != *count))
		reader__fail(reader, "\"columns\" and \"runs\" do not match");
	if (reader->reason)
		return NULL;
	columns = checked_calloc(*count, sizeof(*columns));
	read_columns(reader, list, runs, columns);
	if (!reader->reason)
		return columns;
	compare_columns__free(columns, *count);
	return NULL;
}

static struct comparison *read_comparison(struct reader *reader, struct json_object *root)
{
	struct compare_column *columns;
	size_t count, baseline;

	if (!json_object_is_type(root, json_type_object)) {
		reader__fail(reader, "not a comparison, but other JSON");
		return NULL;
	}
	check_schema(reader, root);
	columns = compare_json__columns(reader, root, &count);
	baseline = columns ? reader__index(reader, root, "baseline", count, 0) : 0;
	if (columns && !reader->reason)
		return comparison__new(columns, count, baseline);
	if (columns)
		compare_columns__free(columns, count);
	return NULL;
}

struct comparison *compare_json__from(struct json_object *root, char **reason)
{
	struct reader reader = { 0 };
	struct comparison *comparison = read_comparison(&reader, root);

	*reason = reader.reason;
	return comparison;
}
