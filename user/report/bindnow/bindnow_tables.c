// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bindnow/bindnow_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/column.h"
#include "report/anatomy/bound_list.h"
#include "report/bindnow/bindnow_words.h"

enum { FILES_SHOWN = 24 };

/* All but the functions that a file binds one by one. */
static uint64_t other_relocations(const struct bindnow_file *file)
{
	uint64_t sum = 0;

	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++) {
		if (file->relocations[kind] == ABSENT)
			return ABSENT;
		sum += kind == RELOC_JUMP_SLOT ? 0 : file->relocations[kind];
	}
	return sum;
}

/* A file, and the others that its name must differ from. */
struct file_line {
	const struct bindnow_files *files;
	const struct bindnow_file *file;
	const char *way, *relro;
	uint64_t functions, others;
};

static struct cell file_asks(const void *subject, const void *row, int index)
{
	const struct bindnow_file *file = ((const struct file_line *)row)->file;

	return file->way == WAY_UNKNOWN ? cell__absent() : cell__own(bindnow_words__asks(file->asks));
}

static const char *file_path(const void *files, size_t index)
{
	return ((const struct bindnow_file *)files)[index].path;
}

static struct cell file_name(const void *subject, const void *row, int index)
{
	const struct file_line *line = row;
	const char *name = text__short_path(line->file->path, line->files->files, line->files->count, file_path);

	if (line->file->reason)
		return cell__own(text__of("%s: %s", name, line->file->reason));
	return cell__text(name);
}

static const struct column file_columns[] = {
	{ "bound", TEXT_OF(struct file_line, way) },
	{ "functions", COUNT_OF(struct file_line, functions) },
	{ "other relocations", COUNT_OF(struct file_line, others) },
	{ "RELRO", TEXT_OF(struct file_line, relro) },
	{ "asked by", COLUMN_TEXT, .cell = file_asks },
	{ "file", COLUMN_TEXT, .cell = file_name },
};

static void add_file(struct table *table, const struct bindnow_files *files, const struct bindnow_file *file)
{
	const struct file_line line = {
		.files = files,
		.file = file,
		.way = bindnow_words__way(file->way),
		.relro = file->way == WAY_UNKNOWN ? "-" : elf_relro_keys[file->relro],
		.functions = file->relocations[RELOC_JUMP_SLOT],
		.others = other_relocations(file),
	};

	table__add(table, &line);
}

void bindnow__print_files(const struct bindnow *bindnow, const struct table_output *output)
{
	const struct bindnow_files *files = bindnow->files;
	struct table *table = table__new("How functions are bound");
	size_t shown = output->page || files->count < FILES_SHOWN ? files->count : FILES_SHOWN;

	TABLE_COLUMNS(table, file_columns, NULL);
	for (size_t i = 0; i < shown; i++)
		add_file(table, files, &files->files[i]);
	table__finish(table, output);
	if (files->count > shown)
		fprintf(output->stream, "%zu more files are in --csv and --json\n", files->count - shown);
	if (files->left_out)
		fprintf(output->stream, "%zu more executables were not read\n", files->left_out);
	putc('\n', output->stream);
}

static int by_children(const void *left, const void *right)
{
	const struct bound *a = left, *b = right;

	if (bound__children(a) != bound__children(b))
		return bound__children(a) < bound__children(b) ? 1 : -1;
	if (a->symbol != b->symbol)
		return a->symbol < b->symbol ? -1 : 1; /* as in the run */
	return a->generation - b->generation;
}

/* What the table of functions is about. */
struct symbol_table {
	bool groups; /* there are several */
};

struct symbol_line {
	struct cell children, name, object, provider;
	const char *group;
};

static const struct column symbol_columns[] = {
	{ "children", COLUMN_COUNT, CELL_OF(struct symbol_line, children) },
	{ "function", COLUMN_TEXT, CELL_OF(struct symbol_line, name) },
	{ "called from", COLUMN_TEXT, CELL_OF(struct symbol_line, object) },
	{ "found in", COLUMN_TEXT, CELL_OF(struct symbol_line, provider) },
	{ "group", TEXT_OF(struct symbol_line, group), WHEN(struct symbol_table, groups) },
};

/* "8 of 8 grandchildren"; just "8 of 8" in a group of one generation. */
static struct cell children_cell(const struct bound *bound)
{
	const char *whose = bound__whose(bound);

	if (!bound->sample)
		return cell__count(bound->symbol->children);
	return cell__said(cell__count(bound__children(bound)),
			  text__of("%" PRIu64 " of %" PRIu64 "%s%s", bound__children(bound),
				   bound__of(bound), *whose ? " " : "", whose));
}

static struct cell object_cell(const struct anatomy *anatomy, uint32_t object)
{
	const char *path = object == NO_OBJECT ? NULL : anatomy->objects[object].path;

	return path ? cell__text(text__file_name(path)) : cell__absent();
}

static void add_symbol(struct table *table, const struct bindnow *bindnow,
		       const struct anatomy *anatomy, const struct bound *bound)
{
	const struct binding_symbol *symbol = bound->symbol;
	const struct symbol_line line = {
		.children = children_cell(bound),
		.name = symbol->symbol ? cell__text(symbol->symbol) : cell__absent(),
		.object = object_cell(anatomy, symbol->object),
		.provider = object_cell(anatomy, symbol->provider),
		.group = symbol->group < bindnow->group_count ? bindnow->groups[symbol->group].name : NULL,
	};

	table__add(table, &line);
}

static const struct anatomy *lazy_anatomy(const struct bindnow *bindnow)
{
	const struct compare_column *lazy = &bindnow->comparison->columns[SIDE_LAZY];

	return lazy->run_count ? lazy->runs[0]->anatomy : NULL;
}

void bindnow__print_symbols(const struct bindnow *bindnow, size_t most, const struct table_output *output)
{
	const struct symbol_table about = { bindnow->group_count > 1 };
	const struct anatomy *anatomy = lazy_anatomy(bindnow);
	struct table *table;
	struct bound *list;
	size_t count, shown;

	if (!anatomy || !anatomy->symbol_count)
		return;
	list = bound_list__of(anatomy, &count);
	qsort(list, count, sizeof(*list), by_children);
	shown = output->page || count < most ? count : most;
	table = table__new("Functions that children bind again, as it is");
	TABLE_COLUMNS(table, symbol_columns, &about);
	for (size_t i = 0; i < shown; i++)
		add_symbol(table, bindnow, anatomy, &list[i]);
	table__finish(table, output);
	free(list);
	if (count > shown)
		fprintf(output->stream, "(%zu more: -v)\n", count - shown);
	putc('\n', output->stream);
}
