// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/stacks/stack_table.h"

#include <stdlib.h>

#include "base/memory.h"

enum { COUNTED_MOST = 1 << 18 };

static struct counted_stack *find_or_add(struct stack_table *table, uint32_t row, uint64_t hash)
{
	const uint64_t key[] = { hash, row };
	const union hash_value *found = hash__find(&table->by_key, key, sizeof(key));
	struct counted_stack *entry;

	if (found || table->count == COUNTED_MOST)
		return found ? found->pointer : NULL;
	entry = checked_calloc(1, sizeof(*entry));
	*entry = (struct counted_stack){ .hash = hash, .row = row };
	hash__get(&table->by_key, key, sizeof(key))->pointer = entry;
	table->entries = checked_grow(table->entries, table->count, sizeof(*table->entries));
	table->entries[table->count++] = entry;
	return entry;
}

void stack_table__add(struct stack_table *table, uint32_t row, uint64_t hash, uint64_t duration_ns)
{
	struct counted_stack *entry = find_or_add(table, row, hash);

	if (!entry) {
		table->beyond++;
		return;
	}
	entry->faults++;
	entry->timed += duration_ns != 0;
	entry->ns += duration_ns;
}

void stack_table__release(struct stack_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->entries[i]);
	hash__release(&table->by_key);
	free(table->entries);
	*table = (struct stack_table){ 0 };
}
