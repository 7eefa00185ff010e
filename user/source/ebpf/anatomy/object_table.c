// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/object_table.h"

#include <stdlib.h>

#include "base/memory.h"

uint32_t object_table__find(const struct object_table *table, uint32_t dev, uint64_t ino)
{
	const struct object_key key = { .ino = ino, .dev = dev };
	const union hash_value *found = hash__find(&table->numbers, &key, sizeof(key));

	return found ? found->number : NO_OBJECT;
}

static void add_user(struct object_entry *entry, int32_t pid, uint64_t address)
{
	if (!pid || (entry->user_count && entry->users[entry->user_count - 1].pid == pid))
		return;
	if (entry->user_count < OBJECT_USERS)
		entry->user_count++;
	entry->users[entry->user_count - 1] = (struct object_user){ pid, address };
}

uint32_t object_table__number(struct object_table *table, uint32_t dev, uint64_t ino, int32_t pid, uint64_t address)
{
	const struct object_key key = { .ino = ino, .dev = dev };
	const uint32_t number = hash__number(&table->numbers, &key, sizeof(key));
	struct object_entry *entry;

	if (number < table->count) {
		add_user(table->entries[number], pid, address);
		return number;
	}
	entry = checked_calloc(1, sizeof(*entry));
	entry->key = key;
	entry->number = number;
	add_user(entry, pid, address);
	table->entries = checked_grow(table->entries, table->count, sizeof(struct object_entry *));
	table->entries[table->count++] = entry;
	return number;
}

void object_table__release(struct object_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->entries[i]);
	hash__release(&table->numbers);
	free(table->entries);
}
