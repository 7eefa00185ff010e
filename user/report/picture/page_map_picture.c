// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/pictures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/page.h"
#include "base/text.h"
#include "format/column.h"
#include "format/html/svg.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/picture/page_looks.h"

enum { CELL = 12, HEIGHT = 15, LINE = 18, LEFT = 66, COLUMNS = 84 }; /* pixels; cells of a line */
/* So many pages that are alike are one wide mark, with their number. */
enum { LONG = 24, LONG_CELLS = 5 };
enum { MANY_MARKS = 3000 }; /* beyond, pages of one fate count as alike */

/* A picture of one object in progress; its height is known at the end. */
struct canvas {
	const struct run *run;
	uint64_t children; /* recorded */
	FILE *stream;
	char *text;
	size_t size;
	unsigned int column, line;
	size_t marks; /* of all objects */
};

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Would their hints say the same? */
static bool are_alike(const struct canvas *canvas, const struct page_strip *strip, size_t a,
		      size_t b)
{
	const struct anatomy_row *x = strip->faults[a], *y = strip->faults[b];

	if (strip->fates[a] != strip->fates[b])
		return false;
	if (x == y || canvas->marks > MANY_MARKS)
		return true;
	return x && y && x->class == y->class && x->actor == y->actor &&
	       x->children == y->children && is_same_text(x->place.symbol, y->place.symbol) &&
	       is_same_text(x->code.symbol, y->code.symbol);
}

static size_t alike_from(const struct canvas *canvas, const struct page_strip *strip, size_t first)
{
	size_t end = first + 1;

	while (end < strip->count && are_alike(canvas, strip, first, end))
		end++;
	return end - first;
}

static char *hint_of(const struct canvas *canvas, const struct page_strip *strip, size_t first,
		     size_t count)
{
	uint64_t offset = strip->vma->offset + first * PAGE_BYTES;
	char *text =
		text__of("%zu %s at 0x%" PRIx64 ": %s", count, number__noun(count, "page", "pages"),
			 offset, page_fate_words[strip->fates[first]]);
	char *fault;

	if (!strip->faults[first])
		return text;
	fault = words__fault(canvas->run, strip->faults[first], canvas->children);
	text__replace(&text, "%s\n%s%s", text, count > 1 ? "the first: " : "", fault);
	free(fault);
	return text;
}

static void draw_mark(struct canvas *canvas, const struct page_strip *strip, size_t first,
		      size_t count, unsigned int cells)
{
	enum page_fate fate = strip->fates[first];
	char *hint = hint_of(canvas, strip, first, count), *label;
	double x, y;

	if (canvas->column + cells > COLUMNS) {
		canvas->column = 0;
		canvas->line++;
	}
	x = LEFT + canvas->column * CELL;
	y = canvas->line * LINE;
	svg__mark(canvas->stream, page_looks[fate], x, y, cells * CELL - 1, HEIGHT, hint);
	label = count > LONG ? text__of("%zu", count) : text__of("%c", page_letter(fate));
	if (*label)
		svg__text(canvas->stream, fate == PAGE_UNTOUCHED ? "mid" : "off mid",
			  x + (cells * CELL - 1) / 2., y + HEIGHT - 3, label);
	canvas->column += cells;
	canvas->marks++;
	free(label);
	free(hint);
}

/* Pages without a fault of their own are drawn together, as far as the line goes. */
static void draw_together(struct canvas *canvas, const struct page_strip *strip, size_t first,
			  size_t count)
{
	while (count) {
		size_t room = canvas->column < COLUMNS ? COLUMNS - canvas->column : COLUMNS;
		size_t part = count < room ? count : room;

		draw_mark(canvas, strip, first, part, part);
		first += part;
		count -= part;
	}
}

static void draw_strip(struct canvas *canvas, const struct page_strip *strip)
{
	const struct layout_vma *vma = strip->vma;
	char *rights = words__mapping(vma);
	size_t count;

	svg__text(canvas->stream, "soft", 0, canvas->line * LINE + HEIGHT - 3, rights);
	free(rights);
	for (size_t first = 0; first < strip->count; first += count) {
		count = alike_from(canvas, strip, first);
		if (count > LONG) {
			draw_mark(canvas, strip, first, count, LONG_CELLS);
		} else if (!strip->faults[first]) {
			draw_together(canvas, strip, first, count);
		} else {
			draw_mark(canvas, strip, first, 1, 1);
			count = 1;
		}
	}
	canvas->column = 0;
	canvas->line++;
}

static void draw_object(struct canvas *canvas, const struct page_strip *strips, size_t count,
			FILE *stream)
{
	char *name = words__object(canvas->run, strips->vma->object, false);

	canvas->line = canvas->column = 0;
	canvas->stream = checked(open_memstream(&canvas->text, &canvas->size));
	for (size_t i = 0; i < count; i++)
		if (strips[i].count)
			draw_strip(canvas, &strips[i]);
	fclose(canvas->stream);
	fputs("<h3>", stream);
	html__text(stream, name);
	fputs("</h3>\n", stream);
	svg__begin(stream, "map", LEFT + COLUMNS * CELL, canvas->line * LINE, name);
	fwrite(canvas->text, 1, canvas->size, stream);
	svg__end(stream);
	free(canvas->text);
	free(name);
}

/* A line of the table: an object, or all of them. */
struct object_line {
	struct cell object;
	uint64_t pages, fates[PAGE_FATE_COUNT];
	bool has[PAGE_FATE_COUNT]; /* pages of that fate */
};

static void draw_legend(const struct object_line *all, FILE *stream)
{
	legend__begin(stream);
	for (int fate = PAGE_FATE_COUNT - 1; fate >= 0; fate--)
		if (all->has[fate])
			legend__entry(stream, page_looks[fate], page_letter(fate),
				      page_fate_words[fate]);
	legend__end(stream);
}

static const char *fate_header(int fate)
{
	return page_fate_words[fate];
}

static const struct column object_columns[] = {
	{ "pages", COUNT_OF(struct object_line, pages) },
	{ NULL, COUNT_OF(struct object_line, fates), WHEN(struct object_line, has),
	  .repeat = PAGE_FATE_COUNT, .header_of = fate_header, .unless_zero = true },
	{ "object", COLUMN_TEXT, CELL_OF(struct object_line, object) },
};

static struct object_line line_of(const struct page_strip *strips, size_t count)
{
	struct object_line line = { 0 };

	page_strips__count(strips, count, line.fates);
	for (int fate = 0; fate < PAGE_FATE_COUNT; fate++) {
		line.pages += line.fates[fate];
		line.has[fate] = line.fates[fate];
	}
	return line;
}

static bool has_faults(const struct object_line *line)
{
	for (int fate = PAGE_MAPPED; fate < PAGE_FATE_COUNT; fate++)
		if (line->has[fate])
			return true;
	return false;
}

static void draw_objects(const struct run *run, uint32_t group, const struct page_map *map,
			 struct table *table, FILE *stream)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	struct canvas canvas = { .run = run, .children = sample ? sample->children : 0 };
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
	struct object_line all = line_of(map->strips, map->count);
	char *whose = words__group(run, group, false);
	char *title = text__of("Pages of a child: %s", whose);
	FILE *stream;

	html_page__heading(output->page, title);
	stream = html_page__markup(output->page);
	TABLE_COLUMNS(table, object_columns, &all);
	figure__begin(stream);
	draw_legend(&all, stream);
	draw_objects(run, group, map, table, stream);
	figure__end(stream, caption);
	all.object = cell__text("total");
	table__rule(table);
	table__add(table, &all);
	table__finish(table, output);
	free(whose);
	free(title);
}
