// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/path_table.h"

#include <string.h>

#include "base/memory.h"

struct path_table *path_table__new(void)
{
	static const enum file_kind kinds[OBJECTS_FIRST] = {
		[OBJECT_UNKNOWN] = FILE_DESCRIPTOR,
		[OBJECT_OTHERS] = FILE_OTHERS,
		[OBJECT_UNREADABLE] = FILE_UNREADABLE,
	};
	struct path_table *table = checked_calloc(1, sizeof(*table));

	for (int object = 0; object < OBJECTS_FIRST; object++) {
		table->entries = checked_grow(table->entries, table->count, sizeof(*table->entries));
		table->entries[table->count++] = (struct path_entry){ .kind = kinds[object] };
	}
	return table;
}

void path_table__free(struct path_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++)
		free(table->entries[i].text);
	free(table->entries);
	for (int kind = 0; kind < FILE_KIND_COUNT; kind++)
		hash__release(&table->numbers[kind]);
	free(table);
}

uint32_t path_table__number(struct path_table *table, enum file_kind kind, const char *text)
{
	const size_t length = strlen(text);
	const union hash_value *known = hash__find(&table->numbers[kind], text, length);
	struct path_entry *entry;

	if (known)
		return known->number;
	if (table->count >= PATHS_MOST || table->bytes + length + 1 > PATH_BYTES_MOST)
		return OBJECT_OTHERS;
	table->bytes += length + 1;
	table->entries = checked_grow(table->entries, table->count, sizeof(*table->entries));
	entry = &table->entries[table->count];
	*entry = (struct path_entry){ checked_strdup(text), kind };
	hash__get(&table->numbers[kind], entry->text, length)->number = table->count;
	return table->count++;
}

const char *path_table__text(const struct path_table *table, uint32_t object)
{
	return table->entries[object].text;
}

enum file_kind path_table__kind(const struct path_table *table, uint32_t object)
{
	return table->entries[object].kind;
}
