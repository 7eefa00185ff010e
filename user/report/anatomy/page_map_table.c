// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/forks/page_map.h"
#include "base/memory.h"
#include "report/anatomy/page_map_print.h"
#include "report/anatomy/words_anatomy.h"

static void add_strip(struct table *table, const struct run *run, const struct layout *layout,
		      const struct page_strip *strip)
{
	const struct layout_vma *vma = strip->vma;
	char *group = words__group(run, layout->group, true);
	char *object = words__object(run, vma->object, true);
	char *letters = checked_calloc(strip->count + 1, 1);

	for (size_t i = 0; i < strip->count; i++)
		letters[i] = page_fate_letters[strip->fates[i]];
	table__row(table);
	table__text(table, group);
	table__text(table, object);
	table__format(table, "%c%c%c%c", vma->read ? 'r' : '-', vma->write ? 'w' : '-',
		      vma->exec ? 'x' : '-', vma->shared ? 's' : 'p');
	table__text(table, place_counters[vma->kind].key);
	table__count(table, vma->offset);
	table__text(table, letters);
	free(group);
	free(object);
	free(letters);
}

struct table *report__page_maps(const struct run *run)
{
	static const char *const headers[] = { "children of", "object", "rights", "kind", "offset",
					       "pages" };
	struct table *table = table__new("Pages of objects in the children");

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_LEFT);
	for (size_t i = 0; i < run->anatomy->layout_count; i++) {
		const struct layout *layout = &run->anatomy->layouts[i];
		struct page_map map = page_map__of(run, layout);

		for (size_t strip = 0; strip < map.count; strip++)
			add_strip(table, run, layout, &map.strips[strip]);
		page_map__free(&map);
	}
	if (table__rows(table))
		return table;
	table__free(table);
	return NULL;
}
