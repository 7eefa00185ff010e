// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/memory.h"
#include "model/watch/watch_words.h"

static void *copy_of(const void *array, size_t count, size_t size)
{
	return count ? memcpy(checked_calloc(count, size), array, count * size) : NULL;
}

static void copy_texts(struct watch_unit *unit)
{
	unit->name = checked_strdup(unit->name);
	unit->groups = copy_of(unit->groups, unit->group_count, sizeof(*unit->groups));
	for (size_t i = 0; i < unit->group_count; i++)
		unit->groups[i].parent = checked_strdup(unit->groups[i].parent);
}

struct watch_sample *watch_sample__copy(const struct watch_sample *sample)
{
	struct watch_sample *copy;

	if (!sample)
		return NULL;
	copy = copy_of(sample, 1, sizeof(*sample));
	copy->units = copy_of(sample->units, sample->unit_count, sizeof(*sample->units));
	for (size_t i = 0; i < copy->unit_count; i++)
		copy_texts(&copy->units[i]);
	return copy;
}
