// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/recorded_process.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/ebpf/anatomy/row_table.h"

struct recorded_process *recorded_table__get(struct recorded_table *table, uint64_t id)
{
	union hash_value *value = hash__get(&table->by_id, &id, sizeof(id));
	struct recorded_process *entry = value->pointer;

	if (entry)
		return entry;
	value->pointer = entry = checked_calloc(1, sizeof(*entry));
	entry->id = id;
	entry->group = GROUP_UNKNOWN;
	table->entries = checked_grow(table->entries, table->count, sizeof(struct recorded_process *));
	table->entries[table->count++] = entry;
	return entry;
}

static const struct recorded_process *find(const struct recorded_table *table, uint64_t id)
{
	const union hash_value *found = hash__find(&table->by_id, &id, sizeof(id));

	return found ? found->pointer : NULL;
}

enum generation recorded_process__generation(const struct recorded_table *table,
				     const struct recorded_process *recorded)
{
	for (int generation = GENERATION_CHILD; generation < GENERATION_LATER; generation++) {
		const struct recorded_process *parent = recorded->parent ? find(table, recorded->parent) : NULL;

		if (!parent)
			return GENERATION_UNKNOWN;
		/* Group 0 is that of the roots. */
		if (!parent->group || (parent->execed && recorded->forked >= parent->execed))
			return generation;
		recorded = parent;
	}
	return recorded->parent ? GENERATION_LATER : GENERATION_UNKNOWN;
}

static void free_recorded(struct recorded_process *recorded)
{
	batch__release(&recorded->own);
	batch__release(&recorded->next);
	batch__release(&recorded->after);
	recorded_process__drop_gots(recorded);
	free(recorded);
}

void recorded_table__release(struct recorded_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free_recorded(table->entries[i]);
	hash__release(&table->by_id);
	free(table->entries);
}

void batch__add(struct batch *batch, const struct fault_record *fault)
{
	batch->faults = checked_grow(batch->faults, batch->count, sizeof(*batch->faults));
	batch->faults[batch->count++] = *fault;
}

void batch__release(struct batch *batch)
{
	free(batch->faults);
	row_image__release(&batch->image);
	memset(batch, 0, sizeof(*batch));
}

static struct got_pair *find_pair(struct recorded_process *recorded, uint64_t address)
{
	for (size_t i = 0; i < recorded->got_count; i++)
		if (recorded->gots[i].before && recorded->gots[i].before->address == address)
			return &recorded->gots[i];
	recorded->gots = checked_grow(recorded->gots, recorded->got_count, sizeof(*recorded->gots));
	recorded->gots[recorded->got_count] = (struct got_pair){ 0 };
	return &recorded->gots[recorded->got_count++];
}

void recorded_process__keep_got(struct recorded_process *recorded, const struct got_record *record)
{
	struct got_pair *pair = find_pair(recorded, record->address);
	struct got_record *copy = checked(malloc(sizeof(*copy))), **place;

	memcpy(copy, record, sizeof(*copy));
	place = record->after ? &pair->after : &pair->before;
	free(*place);
	*place = copy;
}

void recorded_process__drop_gots(struct recorded_process *recorded)
{
	for (size_t i = 0; i < recorded->got_count; i++) {
		free(recorded->gots[i].before);
		free(recorded->gots[i].after);
	}
	free(recorded->gots);
	recorded->gots = NULL;
	recorded->got_count = 0;
}
