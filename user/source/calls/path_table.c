// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/path_table.h"

#include <string.h>

#include "base/memory.h"

enum { BUCKETS = 1 << 14 };

struct path_table *path_table__new(void)
{
	static const enum file_kind kinds[OBJECTS_FIRST] = {
		[OBJECT_UNKNOWN] = FILE_DESCRIPTOR,
		[OBJECT_OTHERS] = FILE_OTHERS,
		[OBJECT_UNREADABLE] = FILE_UNREADABLE,
	};
	struct path_table *table = checked_calloc(1, sizeof(*table));

	table->buckets = checked_calloc(BUCKETS, sizeof(*table->buckets));
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
	free(table->buckets);
	free(table);
}

/* FNV-1a */
static uint64_t hash_of(enum file_kind kind, const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u ^ kind;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash ^ hash >> 32;
}

static uint32_t add(struct path_table *table, struct path_entry entry, size_t length)
{
	uint32_t *bucket = &table->buckets[entry.hash % BUCKETS];

	if (table->count >= PATHS_MOST || table->bytes + length > PATH_BYTES_MOST)
		return OBJECT_OTHERS;
	table->bytes += length;
	entry.text = checked_strdup(entry.text);
	entry.next = *bucket;
	table->entries = checked_grow(table->entries, table->count, sizeof(*table->entries));
	table->entries[table->count] = entry;
	*bucket = table->count;
	return table->count++;
}

uint32_t path_table__number(struct path_table *table, enum file_kind kind, const char *text)
{
	uint64_t hash = hash_of(kind, text);

	for (uint32_t i = table->buckets[hash % BUCKETS]; i; i = table->entries[i].next) {
		const struct path_entry *entry = &table->entries[i];

		if (entry->hash == hash && entry->kind == kind && !strcmp(entry->text, text))
			return i;
	}
	return add(table, (struct path_entry){ (char *)text, kind, hash, 0 }, strlen(text) + 1);
}

const char *path_table__text(const struct path_table *table, uint32_t object)
{
	return table->entries[object].text;
}

enum file_kind path_table__kind(const struct path_table *table, uint32_t object)
{
	return table->entries[object].kind;
}
