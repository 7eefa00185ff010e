// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/snapshot.h"

#include <stdlib.h>

#include "base/memory.h"

/* Mappings in no order, without overlaps. */
struct map {
	struct mapping_record *parts;
	size_t count;
};

static void append(struct map *map, const struct mapping_record *part)
{
	if (part->start >= part->end)
		return;
	map->parts = checked_grow(map->parts, map->count, sizeof(*map->parts));
	map->parts[map->count++] = *part;
}

static struct mapping_record from(const struct mapping_record *part, uint64_t start)
{
	struct mapping_record rest = *part;

	if (start > part->start) {
		rest.offset += start - part->start;
		rest.start = start;
	}
	return rest;
}

/* Replaces what was there before; of a part that it cuts, the ends stay. */
static void put(struct map *map, const struct mapping_record *record)
{
	size_t kept = 0, count = map->count;

	for (size_t i = 0; i < count; i++) {
		struct mapping_record part = map->parts[i], before = part;
		struct mapping_record behind = from(&part, record->end);

		if (part.end <= record->start || part.start >= record->end) {
			map->parts[kept++] = part;
			continue;
		}
		before.end = record->start;
		append(map, &before);
		append(map, &behind);
	}
	/* The pieces lie behind all that was looked at: close the gap. */
	for (size_t i = count; i < map->count; i++)
		map->parts[kept++] = map->parts[i];
	map->count = kept;
	append(map, record);
}

static int by_address(const void *left, const void *right)
{
	const struct mapping_record *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static bool is_object(const struct map *map, const struct mapping_record *part)
{
	for (size_t i = 0; i < map->count; i++)
		if (part->ino && map->parts[i].exec && map->parts[i].ino == part->ino && map->parts[i].dev == part->dev)
			return true;
	return false;
}

static bool is_bss(const struct layout_vma *before, const struct mapping_record *part)
{
	return before && !part->ino && part->write && before->kind == PLACE_FILE && before->write &&
	       !before->shared && before->end == part->start;
}

static void add_vma(struct layout *layout, const struct map *map, const struct mapping_record *part,
		    object_number *number, void *context)
{
	size_t count = layout->vma_count;
	const struct layout_vma *before = count ? &layout->vmas[count - 1] : NULL;
	struct layout_vma vma = {
		.start = part->start,
		.end = part->end,
		.offset = part->offset,
		.kind = PLACE_FILE,
		.read = part->read,
		.write = part->write,
		.exec = part->exec,
		.shared = part->shared,
	};

	if (is_object(map, part)) {
		vma.object = number(context, part->dev, part->ino, NULL);
	} else if (is_bss(before, part)) {
		vma.kind = PLACE_BSS;
		vma.object = before->object;
		vma.offset = before->offset + (before->end - before->start);
	} else {
		return;
	}
	layout->vmas = checked_grow(layout->vmas, count, sizeof(*layout->vmas));
	layout->vmas[layout->vma_count++] = vma;
}

void layout_recorded__make(struct layout *layout, const struct mapping_record *records, size_t count,
			   object_number *number, void *context)
{
	struct map map = { 0 };

	for (size_t i = 0; i < count; i++)
		put(&map, &records[i]);
	if (map.count)
		qsort(map.parts, map.count, sizeof(*map.parts), by_address);
	for (size_t i = 0; i < map.count; i++)
		add_vma(layout, &map, &map.parts[i], number, context);
	layout->recorded = layout->vma_count > 0;
	free(map.parts);
}
