// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/descriptors.h"

#include "base/memory.h"
#include "source/calls/path_table.h"

struct descriptor {
	uint32_t object;
	bool cloexec;
};

struct descriptors {
	unsigned int users;
	size_t count;
	struct descriptor *list;
};

struct descriptors *descriptors__new(void)
{
	struct descriptors *table = checked_calloc(1, sizeof(*table));

	table->users = 1;
	return table;
}

struct descriptors *descriptors__share(struct descriptors *table)
{
	table->users++;
	return table;
}

static void grow(struct descriptors *table, size_t count)
{
	while (table->count < count) {
		table->list = checked_grow(table->list, table->count, sizeof(*table->list));
		table->list[table->count++] = (struct descriptor){ OBJECT_UNKNOWN, false };
	}
}

struct descriptors *descriptors__copy(const struct descriptors *table)
{
	struct descriptors *copy = descriptors__new();

	grow(copy, table->count);
	for (size_t i = 0; i < table->count; i++)
		copy->list[i] = table->list[i];
	return copy;
}

void descriptors__drop(struct descriptors *table)
{
	if (!table || --table->users)
		return;
	free(table->list);
	free(table);
}

static struct descriptor *find(const struct descriptors *table, int32_t descriptor)
{
	return descriptor >= 0 && (size_t)descriptor < table->count ? &table->list[descriptor] : NULL;
}

uint32_t descriptors__get(const struct descriptors *table, int32_t descriptor)
{
	const struct descriptor *found = find(table, descriptor);

	return found ? found->object : OBJECT_UNKNOWN;
}

void descriptors__set(struct descriptors *table, int32_t descriptor, uint32_t object, bool cloexec)
{
	if (descriptor < 0 || descriptor >= DESCRIPTORS_MOST)
		return;
	grow(table, descriptor + 1);
	table->list[descriptor] = (struct descriptor){ object, cloexec };
}

void descriptors__set_cloexec(struct descriptors *table, int32_t descriptor, bool cloexec)
{
	struct descriptor *found = find(table, descriptor);

	if (found)
		found->cloexec = cloexec;
}

void descriptors__close_range(struct descriptors *table, uint32_t first, uint32_t last,
			      bool only_mark)
{
	for (size_t i = first; i < table->count && i <= last; i++) {
		if (only_mark)
			table->list[i].cloexec = true;
		else
			table->list[i] = (struct descriptor){ OBJECT_UNKNOWN, false };
	}
}

struct descriptors *descriptors__exec(struct descriptors *table)
{
	struct descriptors *own = descriptors__copy(table);

	descriptors__drop(table);
	for (size_t i = 0; i < own->count; i++)
		if (own->list[i].cloexec)
			own->list[i] = (struct descriptor){ OBJECT_UNKNOWN, false };
	return own;
}
