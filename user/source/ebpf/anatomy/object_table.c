// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/object_table.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int by_object(const void *left, const void *right)
{
	return memcmp(left, right, sizeof(struct object_key));
}

uint32_t object_table__find(const struct object_table *table, uint32_t dev, uint64_t ino)
{
	const struct object_entry key = { .key = { .ino = ino, .dev = dev } }, *const *found;

	found = tfind(&key, &table->tree, by_object);
	return found ? (*found)->number : NO_OBJECT;
}

static void add_user(struct object_entry *entry, int32_t pid, uint64_t address)
{
	if (!pid || (entry->user_count && entry->users[entry->user_count - 1].pid == pid))
		return;
	if (entry->user_count < OBJECT_USERS)
		entry->user_count++;
	entry->users[entry->user_count - 1] = (struct object_user){ pid, address };
}

uint32_t object_table__number(struct object_table *table, uint32_t dev, uint64_t ino, int32_t pid,
			      uint64_t address)
{
	uint32_t number = object_table__find(table, dev, ino);
	struct object_entry *entry;

	if (number != NO_OBJECT) {
		add_user(table->entries[number], pid, address);
		return number;
	}
	entry = checked_calloc(1, sizeof(*entry));
	entry->key = (struct object_key){ .ino = ino, .dev = dev };
	entry->number = table->count;
	add_user(entry, pid, address);
	checked(tsearch(entry, &table->tree, by_object));
	table->entries = checked_grow(table->entries, table->count, sizeof(struct object_entry *));
	table->entries[table->count++] = entry;
	return entry->number;
}

void object_table__release(struct object_table *table)
{
	tdestroy(table->tree, free);
	free(table->entries);
}
