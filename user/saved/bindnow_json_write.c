// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The saved measurement holds what was measured; reading computes the figures again from that.
 * They stand in it as well, for readers that are not forktax.
 */
#include "saved/bindnow_json.h"

#include "saved/comparison_json.h"
#include "saved/json_figures.h"
#include "saved/json_write.h"

static struct json_object *file(const struct bindnow_file *file)
{
	struct json_object *object = json__object(), *relocations = json__object();

	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++)
		json__add(relocations, relocation_keys[kind], json__count(file->relocations[kind]));
	json__add(object, "path", json__text(file->path));
	json__add(object, "program", json__bool(file->is_program));
	json__add(object, "at_start", json__bool(file->at_start));
	json__add(object, "way", json__text(bindnow_way_keys[file->way]));
	json__add(object, "relro", json__text(elf_relro_keys[file->relro]));
	json__add(object, "DT_BIND_NOW", json__bool(file->asks & NOW_BY_TAG));
	json__add(object, "DF_BIND_NOW", json__bool(file->asks & NOW_BY_FLAGS));
	json__add(object, "DF_1_NOW", json__bool(file->asks & NOW_BY_FLAGS_1));
	json__add(object, "relocations", relocations);
	json__add(object, "error", json__text(file->reason));
	return object;
}

static struct json_object *row(const struct bindnow *bindnow, const struct bindnow_row *row)
{
	struct json_object *object = json__object();
	bool is_group = row->section == BINDNOW_GROUP;

	json__add(object, "section", json__text(bindnow_section_keys[row->section]));
	json__add(object, "group", json__text(is_group ? bindnow->groups[row->group].name : NULL));
	json__add(object, "key", json__text(row->key));
	json__add(object, "lazy", json_figure__spread(&row->cells[SIDE_LAZY]));
	json__add(object, "now", json_figure__spread(&row->cells[SIDE_NOW]));
	json__add(object, "difference", json_figure__estimate(&row->difference));
	return object;
}

static struct json_object *break_even(const struct break_even *even)
{
	bool has_number = even->pays == PAYS_AFTER || even->pays == PAYS_AT_LATEST;
	struct json_object *object = json__object();

	json__add(object, "pays", json__text(bindnow_pays_keys[even->pays]));
	json__add(object, "start", json_figure__estimate(&even->start));
	json__add(object, "saving", json_figure__estimate(&even->saving));
	json__add(object, "children", has_number ? json__count(even->children) : NULL);
	json__add(object, "low", has_number ? json__count(even->low) : NULL);
	json__add(object, "high", has_number ? json__count(even->high) : NULL);
	return object;
}

static void put(FILE *stream, const char *key, struct json_object *value)
{
	fprintf(stream, ",\n\"%s\":", key);
	json_figure__put(value, stream);
}

static void put_files(const struct bindnow *bindnow, FILE *stream)
{
	fputs(",\n\"files\":[", stream);
	for (size_t i = 0; i < bindnow->files.count; i++) {
		fputs(i ? ",\n" : "\n", stream);
		json_figure__put(file(&bindnow->files.files[i]), stream);
	}
	putc(']', stream);
	put(stream, "files_left_out", json__count(bindnow->files.left_out));
}

static void put_rows(const struct bindnow *bindnow, FILE *stream)
{
	fputs(",\n\"rows\":[", stream);
	for (size_t i = 0; i < bindnow->row_count; i++) {
		fputs(i ? ",\n" : "\n", stream);
		json_figure__put(row(bindnow, &bindnow->rows[i]), stream);
	}
	putc(']', stream);
}

int bindnow_json__write(const struct bindnow *bindnow, const char *verdict, FILE *stream)
{
	fputs("{\n\"schema\":\"" BINDNOW_SCHEMA "\",\n\"version\":\"" FORKTAX_VERSION "\"", stream);
	put(stream, "was_set", json__bool(bindnow->was_set));
	put(stream, "is_secure", json__bool(bindnow->is_secure));
	put(stream, "outcome", json__text(bindnow_outcome_keys[bindnow->verdict.outcome]));
	put(stream, "verdict", json__text(verdict));
	put(stream, "break_even_time_ns", break_even(&bindnow->in_time));
	put(stream, "break_even_faults", break_even(&bindnow->in_faults));
	put_files(bindnow, stream);
	put_rows(bindnow, stream);
	if (compare_json__put_columns(bindnow->comparison, stream))
		return -1;
	return json_figure__end(stream);
}
