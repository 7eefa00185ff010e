// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bindnow/bindnow_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/anatomy/bound_list.h"
#include "report/bindnow/bindnow_words.h"
#include "report/words.h"

enum { FILES_SHOWN = 24, SYMBOLS_SHOWN = 12 };

/* All but the functions that a file binds one by one. */
static uint64_t others(const struct bindnow_file *file)
{
	uint64_t sum = 0;

	for (int kind = 0; kind < RELOC_KIND_COUNT; kind++) {
		if (file->relocations[kind] == ABSENT)
			return ABSENT;
		sum += kind == RELOC_JUMP_SLOT ? 0 : file->relocations[kind];
	}
	return sum;
}

/* Without directories where no other file has that name. */
static const char *short_name(const struct bindnow_files *files, const struct bindnow_file *file)
{
	const char *name = words__last_part(file->path);

	for (size_t i = 0; i < files->count; i++) {
		const struct bindnow_file *other = &files->files[i];

		if (other != file && !strcmp(words__last_part(other->path), name))
			return file->path;
	}
	return name;
}

static void add_file(struct table *table, const struct bindnow_files *files,
		     const struct bindnow_file *file)
{
	const char *name = short_name(files, file);
	char *asks = bindnow_words__asks(file->asks);
	bool known = file->way != WAY_UNKNOWN;

	table__row(table);
	table__text(table, bindnow_words__way(file->way));
	table__count(table, file->relocations[RELOC_JUMP_SLOT]);
	table__count(table, others(file));
	table__text(table, known ? elf_relro_keys[file->relro] : "-");
	table__text(table, known ? asks : "-");
	if (file->reason)
		table__format(table, "%s: %s", name, file->reason);
	else
		table__text(table, name);
	free(asks);
}

void bindnow__print_files(const struct bindnow *bindnow, const struct table_output *output)
{
	const struct bindnow_files *files = &bindnow->files;
	struct table *table = table__new("How functions are bound");
	size_t shown = files->count < FILES_SHOWN ? files->count : FILES_SHOWN;

	table__column(table, "bound", ALIGN_LEFT);
	table__column(table, "functions", ALIGN_RIGHT);
	table__column(table, "other relocations", ALIGN_RIGHT);
	table__column(table, "RELRO", ALIGN_LEFT);
	table__column(table, "asked by", ALIGN_LEFT);
	table__column(table, "file", ALIGN_LEFT);
	for (size_t i = 0; i < shown; i++)
		add_file(table, files, &files->files[i]);
	table__print(table, output);
	table__free(table);
	if (files->count > shown)
		fprintf(output->stream, "%zu more files are in --csv and --json\n",
			files->count - shown);
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

static const char *object_name(const struct anatomy *anatomy, uint32_t object)
{
	const char *path = object == NO_OBJECT ? NULL : anatomy->objects[object].path;

	return path ? words__last_part(path) : "-";
}

/* "8 of 8 grandchildren"; those of a group of one generation are just "8 of 8". */
static void add_symbol(struct table *table, const struct bindnow *bindnow,
		       const struct anatomy *anatomy, const struct bound *bound)
{
	const struct binding_symbol *symbol = bound->symbol;
	const char *whose = bound__whose(bound);

	table__row(table);
	if (bound->sample)
		table__format(table, "%" PRIu64 " of %" PRIu64 "%s%s", bound__children(bound),
			      bound__of(bound), *whose ? " " : "", whose);
	else
		table__count(table, symbol->children);
	table__text(table, symbol->symbol ? symbol->symbol : "-");
	table__text(table, object_name(anatomy, symbol->object));
	table__text(table, object_name(anatomy, symbol->provider));
	if (bindnow->group_count > 1 && symbol->group < bindnow->group_count)
		table__text(table, bindnow->groups[symbol->group].name);
}

static const struct anatomy *lazy_anatomy(const struct bindnow *bindnow)
{
	const struct compare_column *lazy = &bindnow->comparison->columns[SIDE_LAZY];

	return lazy->run_count ? lazy->runs[0]->anatomy : NULL;
}

void bindnow__print_symbols(const struct bindnow *bindnow, const struct table_output *output)
{
	const struct anatomy *anatomy = lazy_anatomy(bindnow);
	struct table *table;
	struct bound *list;
	size_t count, shown;

	if (!anatomy || !anatomy->symbol_count)
		return;
	list = bound_list__of(anatomy, &count);
	qsort(list, count, sizeof(*list), by_children);
	shown = count < SYMBOLS_SHOWN ? count : SYMBOLS_SHOWN;
	table = table__new("Functions that children bind again, as it is");
	table__column(table, "children", ALIGN_RIGHT);
	table__column(table, "function", ALIGN_LEFT);
	table__column(table, "called from", ALIGN_LEFT);
	table__column(table, "found in", ALIGN_LEFT);
	if (bindnow->group_count > 1)
		table__column(table, "group", ALIGN_LEFT);
	for (size_t i = 0; i < shown; i++)
		add_symbol(table, bindnow, anatomy, &list[i]);
	table__print(table, output);
	table__free(table);
	free(list);
	if (count > shown)
		fprintf(output->stream, "%zu more are in --json\n", count - shown);
	putc('\n', output->stream);
}
