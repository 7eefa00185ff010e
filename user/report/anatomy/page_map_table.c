// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/page_map.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "report/cells.h"
#include "report/report_sections.h"

struct strip_line {
	struct cell group, object, rights;
	const char *kind;
	uint64_t offset;
	struct cell pages;
};

static const struct column strip_columns[] = {
	{ "children of", COLUMN_TEXT, CELL_OF(struct strip_line, group) },
	{ "object", COLUMN_TEXT, CELL_OF(struct strip_line, object) },
	{ "rights", COLUMN_TEXT, CELL_OF(struct strip_line, rights) },
	{ "kind", TEXT_OF(struct strip_line, kind) },
	{ "offset", COUNT_OF(struct strip_line, offset) },
	{ "pages", COLUMN_TEXT, CELL_OF(struct strip_line, pages) },
};

static struct cell letters_of(const struct page_strip *strip)
{
	char *letters = checked_calloc(strip->count + 1, 1);

	for (size_t i = 0; i < strip->count; i++)
		letters[i] = page_state_letters[strip->states[i]];
	return cell__own(letters);
}

static void add_strip(struct table *table, const struct run *run, const struct layout *layout,
		      const struct page_strip *strip)
{
	const struct layout_vma *vma = strip->vma;
	const struct strip_line line = {
		.group = cell__group(run, layout->group),
		.object = cell__object(run, vma->object),
		.rights = cell__own(text__of("%c%c%c%c", vma->read ? 'r' : '-',
					     vma->write ? 'w' : '-', vma->exec ? 'x' : '-',
					     vma->shared ? 's' : 'p')),
		.kind = place_counters[vma->kind].key,
		.offset = vma->offset,
		.pages = letters_of(strip),
	};

	table__add(table, &line);
}

struct table *report__page_maps(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Pages of objects in the children");

	TABLE_COLUMNS(table, strip_columns, NULL);
	for (size_t i = 0; i < run->anatomy->layout_count; i++) {
		const struct layout *layout = &run->anatomy->layouts[i];
		struct page_map map = page_map__of(run, layout);

		for (size_t strip = 0; strip < map.count; strip++)
			add_strip(table, run, layout, &map.strips[strip]);
		page_map__free(&map);
	}
	return table;
}
