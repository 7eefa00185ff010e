// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/pictures.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/page.h"
#include "base/text.h"
#include "format/column.h"
#include "format/html/svg.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/picture/page_cells.h"

enum { LINE = 18 }; /* pixels from one to the next */
enum { MANY_MARKS = 3000 }; /* beyond, pages of one state count as alike */

struct canvas {
	struct page_cells cells;
	const struct run *run;
	uint64_t children; /* recorded */
	const struct page_strip *strip; /* that is drawn */
	unsigned int line;
	size_t marks; /* of all objects */
};

/* Would their hints say the same? */
static bool are_alike(const struct page_cells *cells, size_t a, size_t b)
{
	const struct canvas *canvas = (const struct canvas *)cells;
	const struct page_strip *strip = canvas->strip;
	const struct anatomy_row *x = strip->faults[a], *y = strip->faults[b];

	if (strip->states[a] != strip->states[b])
		return false;
	if (x == y || canvas->marks > MANY_MARKS)
		return true;
	return x && y && x->class == y->class && x->actor == y->actor &&
	       x->children == y->children && !text__compare(x->place.symbol, y->place.symbol) &&
	       !text__compare(x->code.symbol, y->code.symbol);
}

static bool has_fault(const struct page_cells *cells, size_t page)
{
	return ((const struct canvas *)cells)->strip->faults[page];
}

static char *hint_of(const struct canvas *canvas, size_t first, size_t count)
{
	const struct page_strip *strip = canvas->strip;
	uint64_t offset = strip->vma->offset + first * strip->page_bytes;
	char *text = text__of("%s at 0x%" PRIx64 ": %s", quantity__count(count, "page", "pages").text, offset,
			      page_state_words[strip->states[first]]);
	autofree char *fault = NULL;

	if (!strip->faults[first])
		return text;
	fault = words__fault(canvas->run, strip->faults[first], canvas->children);
	text__replace(&text, "%s\n%s%s", text, count > 1 ? "the first: " : "", fault);
	return text;
}

static void draw_mark(struct page_cells *cells, size_t first, size_t count, unsigned int wide)
{
	struct canvas *canvas = (struct canvas *)cells;
	const enum page_state state = canvas->strip->states[first];
	const double y = canvas->line * LINE;
	autofree char *hint = hint_of(canvas, first, count);

	svg__mark(cells->stream, page_styles[state], page_cells__x(cells), y,
		  page_cells__width(wide), CELL_HEIGHT, hint);
	page_cells__label(cells, state, count, y, wide);
	canvas->marks++;
}

static void end_line(struct page_cells *cells)
{
	((struct canvas *)cells)->line++;
}

static void draw_strip(struct canvas *canvas, const struct page_strip *strip)
{
	autofree char *rights = words__mapping(strip->vma);

	svg__text(canvas->cells.stream, "soft", 0, canvas->line * LINE + CELL_HEIGHT - 3, rights);
	canvas->strip = strip;
	page_cells__draw(&canvas->cells, strip->count);
}

static void draw_object(struct canvas *canvas, const struct page_strip *strips, size_t count,
			FILE *stream)
{
	autofree char *name = names__object(canvas->run, strips->vma->object, false);

	canvas->line = 0;
	page_cells__begin(&canvas->cells);
	for (size_t i = 0; i < count; i++)
		if (strips[i].count)
			draw_strip(canvas, &strips[i]);
	page_cells__finish(&canvas->cells, name, canvas->line * LINE, stream);
}

/* A line of the table: an object, or all of them. */
struct object_line {
	struct cell object;
	uint64_t pages, states[PAGE_STATE_COUNT];
};

static const struct column object_columns[] = {
	{ "pages", COUNT_OF(struct object_line, pages) },
	{ NULL, COUNT_OF(struct object_line, states), IF_ANY,
	  EACH_OF(page_state_words), .unless_zero = true },
	{ "object", COLUMN_TEXT, CELL_OF(struct object_line, object) },
};

static struct object_line line_of(const struct page_strip *strips, size_t count)
{
	struct object_line line = { 0 };

	page_strips__count(strips, count, line.states);
	for (int state = 0; state < PAGE_STATE_COUNT; state++)
		line.pages += line.states[state];
	return line;
}

static bool has_faults(const struct object_line *line)
{
	for (int state = PAGE_MAPPED; state < PAGE_STATE_COUNT; state++)
		if (line->states[state])
			return true;
	return false;
}

static void draw_objects(const struct run *run, uint32_t group, const struct page_map *map,
			 struct table *table, FILE *stream)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	struct canvas canvas = {
		.cells = { are_alike, has_fault, draw_mark, end_line },
		.run = run,
		.children = sample ? sample->children : 0,
	};
	size_t count;

	for (size_t i = 0; i < map->count; i += count) {
		struct object_line line;

		count = page_map__same_object(map, i);
		line = line_of(&map->strips[i], count);
		line.object = cell__object(run, map->strips[i].vma->object);
		if (has_faults(&line))
			draw_object(&canvas, &map->strips[i], count, stream);
		table__add(table, &line);
	}
}

static const char caption[] =
	"One cell a page of a file; a number stands for so many pages that are alike. Files "
	"without a fault of the child are only in the table; heap, stack and other memory without "
	"a file are in the tables of faults.";

void picture__page_map(const struct run *run, uint32_t group, const struct page_map *map,
		       const struct table_output *output)
{
	struct table *table = table__new(NULL);
	const struct object_line all = line_of(map->strips, map->count);
	autofree char *whose = names__group(run, group, false);
	autofree char *title = text__of("Pages of a child: %s", whose);
	FILE *stream;

	html_page__heading(output->page, title);
	stream = html_page__markup(output->page);
	TABLE_COLUMNS(table, object_columns, NULL);
	figure__begin(stream);
	page_legend__begin(all.states, all.states, stream);
	legend__end(stream);
	draw_objects(run, group, map, table, stream);
	figure__end(stream, caption);
	table__total(table, "total");
	table__finish(table, output);
}
