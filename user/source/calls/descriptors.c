// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/calls/descriptors.h"

#include "base/memory.h"
#include "source/calls/path_table.h"

struct descriptor {
	uint32_t object; /* OBJECT_UNKNOWN: it is free, or not known */
	uint32_t shown;
	uint32_t peer;
	uint32_t before; /* what it led to before the last change */
	bool cloexec;
	uint64_t before_since, since; /* ends of the calls that made it so */
	uint64_t opened; /* end of the last one that opened it */
	uint64_t closed; /* begin of the last one that closed it */
};

struct descriptors {
	struct descriptor_budget *budget;
	unsigned int users;
	size_t count;
	struct descriptor *list;
};

struct descriptors *descriptors__new(struct descriptor_budget *budget)
{
	struct descriptors *table = checked_calloc(1, sizeof(*table));

	table->budget = budget;
	table->users = 1;
	return table;
}

struct descriptors *descriptors__share(struct descriptors *table)
{
	table->users++;
	return table;
}

/* False: there is no room for so many. */
static bool grow(struct descriptors *table, size_t count)
{
	if (count <= table->count)
		return true;
	if (count - table->count > DESCRIPTORS_IN_ALL - table->budget->used)
		return false;
	table->budget->used += count - table->count;
	table->list = checked(reallocarray(table->list, count, sizeof(*table->list)));
	while (table->count < count)
		table->list[table->count++] = (struct descriptor){ .object = OBJECT_UNKNOWN };
	return true;
}

struct descriptors *descriptors__copy(const struct descriptors *table)
{
	struct descriptors *copy = descriptors__new(table->budget);

	if (!grow(copy, table->count))
		for (size_t i = 0; i < table->count; i++)
			table->budget->left_out += table->list[i].object != OBJECT_UNKNOWN;
	for (size_t i = 0; i < copy->count; i++)
		copy->list[i] = table->list[i];
	return copy;
}

void descriptors__drop(struct descriptors *table)
{
	if (!table || --table->users)
		return;
	table->budget->used -= table->count;
	free(table->list);
	free(table);
}

static struct descriptor *find(const struct descriptors *table, int32_t descriptor)
{
	return descriptor >= 0 && (size_t)descriptor < table->count ? &table->list[descriptor] : NULL;
}

/* The same with an element for it, unless there is no room. */
static struct descriptor *make(struct descriptors *table, int32_t descriptor)
{
	if (descriptor < 0)
		return NULL;
	if (descriptor < DESCRIPTORS_MOST && grow(table, (size_t)descriptor + 1))
		return &table->list[descriptor];
	table->budget->left_out++;
	return NULL;
}

uint32_t descriptors__get(const struct descriptors *table, int32_t descriptor, struct span call, bool worked)
{
	const struct descriptor *found = find(table, descriptor);

	if (!found)
		return OBJECT_UNKNOWN;
	if (call.from >= found->since)
		return found->object;
	return worked && call.from >= found->before_since ? found->before : OBJECT_UNKNOWN;
}

uint32_t descriptors__shown(const struct descriptors *table, int32_t descriptor)
{
	const struct descriptor *found = find(table, descriptor);

	return found ? found->shown : OBJECT_UNKNOWN;
}

void descriptors__set_peer(struct descriptors *table, int32_t descriptor, uint32_t peer)
{
	struct descriptor *found = find(table, descriptor);

	if (found)
		found->peer = peer;
}

uint32_t descriptors__peer(const struct descriptors *table, int32_t descriptor)
{
	const struct descriptor *found = find(table, descriptor);

	return found ? found->peer : OBJECT_UNKNOWN;
}

static void change(struct descriptor *at, struct opened to, uint64_t since)
{
	at->before = at->object;
	at->before_since = at->since;
	at->object = to.object;
	at->shown = to.shown;
	at->peer = OBJECT_UNKNOWN;
	at->cloexec = to.cloexec;
	at->since = since;
}

/* Calls may come late, from lines of a log that had to wait. */
void descriptors__open(struct descriptors *table, int32_t descriptor, struct opened opened, struct span call)
{
	struct descriptor *at = make(table, descriptor);

	if (!at || call.until < at->opened || call.until < at->closed)
		return;
	change(at, opened, call.until);
	at->opened = call.until;
}

static void close_one(struct descriptor *at, struct span call)
{
	if (call.from < at->opened)
		return;
	change(at, (struct opened){ .object = OBJECT_UNKNOWN }, call.until);
	at->closed = call.from;
}

void descriptors__close(struct descriptors *table, int32_t descriptor, struct span call)
{
	struct descriptor *at = find(table, descriptor);

	if (at)
		close_one(at, call);
}

void descriptors__set_cloexec(struct descriptors *table, int32_t descriptor, bool cloexec)
{
	struct descriptor *found = find(table, descriptor);

	if (found)
		found->cloexec = cloexec;
}

void descriptors__close_range(struct descriptors *table, uint32_t first, uint32_t last,
			      bool only_mark, struct span call)
{
	for (size_t i = first; i < table->count && i <= last; i++) {
		if (only_mark)
			table->list[i].cloexec = true;
		else
			close_one(&table->list[i], call);
	}
}

struct descriptors *descriptors__exec(struct descriptors *table)
{
	struct descriptors *own = descriptors__copy(table);

	descriptors__drop(table);
	for (size_t i = 0; i < own->count; i++)
		if (own->list[i].cloexec)
			own->list[i] = (struct descriptor){ .object = OBJECT_UNKNOWN };
	return own;
}
