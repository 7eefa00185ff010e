// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/stacks/stack_table.h"

#include <search.h>
#include <stdlib.h>

#include "base/memory.h"

enum { COUNTED_MOST = 1 << 18 };

static int by_key(const void *left, const void *right)
{
	const struct counted_stack *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

static struct counted_stack *find_or_add(struct stack_table *table, uint32_t row, uint64_t hash)
{
	const struct counted_stack key = { .hash = hash, .row = row };
	struct counted_stack *const *found = tfind(&key, &table->tree, by_key), *entry;

	if (found || table->count == COUNTED_MOST)
		return found ? *found : NULL;
	entry = checked_calloc(1, sizeof(*entry));
	*entry = key;
	checked(tsearch(entry, &table->tree, by_key));
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
	tdestroy(table->tree, free);
	free(table->entries);
	*table = (struct stack_table){ 0 };
}
