// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/bindnow_json.h"

#include <string.h>

#include "base/memory.h"
#include "saved/comparison_json.h"
#include "saved/json_read.h"

static void read_file(struct reader *reader, struct json_object *in, struct bindnow_file *file)
{
	struct json_object *relocations;

	file->path = reader__text(reader, in, "path");
	if (!file->path)
		reader__fail(reader, "a file has no path");
	file->is_program = reader__bool(reader, in, "program");
	file->at_start = reader__bool(reader, in, "at_start");
	file->way = reader__key(reader, in, "way", bindnow_way_keys, WAY_COUNT);
	file->relro = reader__key(reader, in, "relro", elf_relro_keys, RELRO_COUNT);
	file->asks = (reader__bool(reader, in, "DT_BIND_NOW") ? NOW_BY_TAG : 0) |
		     (reader__bool(reader, in, "DF_BIND_NOW") ? NOW_BY_FLAGS : 0) |
		     (reader__bool(reader, in, "DF_1_NOW") ? NOW_BY_FLAGS_1 : 0);
	relocations = reader__object(reader, in, "relocations");
	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++) {
		file->relocations[kind] =
			reader__count_or_absent(reader, relocations, relocation_keys[kind]);
		if (file->way != WAY_UNKNOWN && file->relocations[kind] == ABSENT)
			reader__fail(reader, "a file that was read has no relocations");
	}
	file->reason = reader__text(reader, in, "error");
}

static void read_files(struct reader *reader, struct json_object *root,
		       struct bindnow_files *files)
{
	struct json_object *array = reader__array(reader, root, "files");
	size_t count = array ? json_object_array_length(array) : 0;

	files->left_out = reader__count(reader, root, "files_left_out");
	files->files = checked_calloc(count, sizeof(*files->files));
	for (size_t i = 0; i < count && !reader->reason; i++) {
		struct json_object *element = json_object_array_get_idx(array, i);

		if (!json_object_is_type(element, json_type_object))
			reader__fail(reader, "\"files\" lists something that is no file");
		else
			read_file(reader, element, &files->files[files->count++]);
	}
}

bool bindnow_json__is(struct json_object *root)
{
	return json__is_of_family(root, "forktax-bindnow/");
}

static void check_schema(struct reader *reader, struct json_object *root)
{
	char *schema = reader__text(reader, root, "schema");

	if (!reader->reason && strcmp(schema, BINDNOW_SCHEMA) != 0)
		reader__fail(reader, "a measurement of another schema than " BINDNOW_SCHEMA
				     "; read it with the version that wrote it");
	free(schema);
}

static struct bindnow *read_bindnow(struct reader *reader, struct json_object *root)
{
	struct compare_column *columns = NULL;
	struct bindnow_files files = { 0 };
	struct bindnow *bindnow;
	size_t count = 0;

	check_schema(reader, root);
	if (!reader->reason)
		columns = compare_json__columns(reader, root, &count);
	if (columns && count != SIDE_COUNT)
		reader__fail(reader, "\"columns\" must be two: lazy and now");
	else if (columns && columns[SIDE_LAZY].run_count != columns[SIDE_NOW].run_count)
		reader__fail(reader, "the two columns have different numbers of runs");
	if (!reader->reason)
		read_files(reader, root, &files);
	if (reader->reason) {
		bindnow_files__free(&files);
		if (columns)
			compare_columns__free(columns, count);
		return NULL;
	}
	bindnow = bindnow__new(columns, &files);
	bindnow->was_set = reader__bool(reader, root, "was_set");
	bindnow->is_secure = reader__bool(reader, root, "is_secure");
	if (!reader->reason)
		return bindnow;
	bindnow__free(bindnow);
	return NULL;
}

struct bindnow *bindnow_json__from(struct json_object *root, char **reason)
{
	struct reader reader = { 0 };
	struct bindnow *bindnow = read_bindnow(&reader, root);

	*reason = reader.reason;
	return bindnow;
}
