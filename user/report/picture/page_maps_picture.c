// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two page maps over each other. What is not the same in both has a frame and a triangle below: a colour
 * alone would be lost on many readers, and on paper.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/page_pairs.h"
#include "analysis/same.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/page.h"
#include "base/text.h"
#include "format/column.h"
#include "format/html/svg.h"
#include "format/wrap.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/picture/page_cells.h"
#include "report/picture/pictures.h"

/* Pixels. A line has both sides, and room for triangles below. */
enum { SECOND = CELL_HEIGHT + 2, SIGN = 2 * CELL_HEIGHT + 12 };
enum { PLAIN_LINE = 38, MARKED_LINE = 49 };
enum { MOST_MAPS = 3 };

static const char *const change_words[PAIR_CHANGE_COUNT] = {
	[PAIR_ALIKE] = "alike",		[PAIR_CHANGED] = "moved",
	[PAIR_ONLY_FIRST] = "only in A", [PAIR_ONLY_SECOND] = "only in B",
	[PAIR_UNKNOWN] = "not known",
};

/* What is compared, and where the picture is drawn. */
struct canvas {
	struct page_cells cells;
	const struct run *runs[PAIR_SIDES];
	uint32_t groups[PAIR_SIDES];
	const char *labels[PAIR_SIDES];
	const struct strip_pair *pair; /* that is drawn */
	double y; /* of the line */
	bool has_sign; /* a triangle stands in the line */
};

static bool is_marked(enum pair_change change)
{
	return change != PAIR_ALIKE && change != PAIR_UNKNOWN;
}

static uint64_t children_of(const struct canvas *canvas, int side)
{
	const struct sample *sample =
		anatomy__sample(canvas->runs[side]->anatomy, canvas->groups[side]);

	return sample ? sample->children : 0;
}

/* What became of it on one side, and by which fault. */
static char *side_hint(const struct canvas *canvas, const struct strip_pair *pair, size_t at, int side)
{
	const struct page_strip *strip = pair->strips[side];
	const struct anatomy_row *fault;
	char *text, *words;

	if (at == NO_PAGE)
		return text__of("%s: no such page", canvas->labels[side]);
	fault = strip->faults[at];
	text = text__of("%s: %s, at 0x%" PRIx64, canvas->labels[side],
			page_state_words[strip->states[at]], strip->vma->offset + at * strip->page_bytes);
	if (!fault)
		return text;
	words = words__fault(canvas->runs[side], fault, children_of(canvas, side));
	text__replace(&text, "%s, %s", text, words);
	free(words);
	return text;
}

static char *hint_of(const struct canvas *canvas, size_t first, size_t count)
{
	const struct page_pair *page = &canvas->pair->pages[first];
	char *text = text__of("%s %s", quantity__count(count, "page", "pages").text,
			      change_words[page->change]);

	for (int side = 0; side < PAIR_SIDES; side++) {
		autofree char *of = side_hint(canvas, canvas->pair, page->at[side], side);

		text__replace(&text, "%s\n%s", text, of);
	}
	return text;
}

static void draw_half(const struct page_cells *cells, const struct page_strip *strip, size_t at,
		      double y, unsigned int wide, size_t count)
{
	const char *look = at == NO_PAGE ? "none" : page_styles[strip->states[at]];

	svg__box(cells->stream, look, page_cells__x(cells), y, page_cells__width(wide), CELL_HEIGHT);
	if (at != NO_PAGE)
		page_cells__label(cells, strip->states[at], count, y, wide);
}

static void end_line(struct page_cells *cells)
{
	struct canvas *canvas = (struct canvas *)cells;

	canvas->y += canvas->has_sign ? MARKED_LINE : PLAIN_LINE;
	canvas->has_sign = false;
}

static void draw_mark(struct page_cells *cells, size_t first, size_t count, unsigned int wide)
{
	struct canvas *canvas = (struct canvas *)cells;
	const struct strip_pair *pair = canvas->pair;
	const struct page_pair *page = &pair->pages[first];
	const bool marked = is_marked(page->change);
	autofree char *hint = hint_of(canvas, first, count);

	canvas->has_sign |= marked;
	svg__begin_mark(cells->stream, marked ? "moved" : NULL, hint);
	draw_half(cells, pair->strips[0], page->at[0], canvas->y, wide, count);
	draw_half(cells, pair->strips[1], page->at[1], canvas->y + SECOND, wide, count);
	if (marked)
		svg__text(cells->stream, "mid", page_cells__x(cells) + page_cells__width(wide) / 2,
			  canvas->y + SIGN, "▲");
	svg__end_mark(cells->stream);
}

static const struct anatomy_row *fault_of(const struct strip_pair *pair, size_t page, int side)
{
	size_t at = pair->pages[page].at[side];

	return at == NO_PAGE ? NULL : pair->strips[side]->faults[at];
}

static enum page_state state_of(const struct strip_pair *pair, size_t page, int side)
{
	size_t at = pair->pages[page].at[side];

	return at == NO_PAGE ? PAGE_UNKNOWN : pair->strips[side]->states[at];
}

/* Pages with faults have hints of their own. */
static bool are_alike(const struct page_cells *cells, size_t a, size_t b)
{
	const struct strip_pair *pair = ((const struct canvas *)cells)->pair;

	if (pair->pages[a].change != pair->pages[b].change)
		return false;
	for (int side = 0; side < PAIR_SIDES; side++)
		if (fault_of(pair, a, side) || fault_of(pair, b, side) ||
		    state_of(pair, a, side) != state_of(pair, b, side))
			return false;
	return true;
}

static void draw_strips(struct canvas *canvas, const struct strip_pair *pair)
{
	const struct layout_vma *vma = (pair->strips[0] ? pair->strips[0] : pair->strips[1])->vma;
	autofree char *mapping = words__mapping(vma), *rights = text__of("%s A", mapping);
	const double y = canvas->y + CELL_HEIGHT - 3;

	svg__text(canvas->cells.stream, "soft end", CELLS_LEFT - 6, y, rights);
	svg__text(canvas->cells.stream, "soft end", CELLS_LEFT - 6, y + SECOND, "B");
	canvas->pair = pair;
	page_cells__draw(&canvas->cells, pair->count);
}

/* A line of the table: an object. */
struct object_line {
	struct cell object;
	uint64_t pages[PAIR_SIDES], changes[PAIR_CHANGE_COUNT];
};

static struct object_line line_of(const struct object_pair *pair)
{
	struct object_line line = { 0 };

	object_pair__count(pair, line.changes);
	for (int change = 0; change < PAIR_CHANGE_COUNT; change++) {
		const uint64_t pages = line.changes[change];

		line.pages[0] += change == PAIR_ONLY_SECOND ? 0 : pages;
		line.pages[1] += change == PAIR_ONLY_FIRST ? 0 : pages;
	}
	return line;
}

static const struct column object_columns[] = {
	{ "pages of A", COUNT_OF(struct object_line, pages[0]) },
	{ "pages of B", COUNT_OF(struct object_line, pages[1]) },
	{ NULL, COUNT_OF(struct object_line, changes), IF_ANY,
	  EACH_OF(change_words), .unless_zero = true },
	{ "object", COLUMN_TEXT, CELL_OF(struct object_line, object) },
};

static bool has_faults(const struct object_pair *pair)
{
	for (size_t i = 0; i < pair->count; i++)
		for (size_t page = 0; page < pair->strips[i].count; page++)
			if (fault_of(&pair->strips[i], page, 0) || fault_of(&pair->strips[i], page, 1))
				return true;
	return false;
}

/* By the name that it has in the first run, if it is there. */
static char *name_of(const struct canvas *canvas, const struct object_pair *pair)
{
	int side = pair->objects[0] == NO_OBJECT;
	char *name = names__object(canvas->runs[side], pair->objects[side], false), *other;

	if (pair->objects[0] == NO_OBJECT || pair->objects[1] == NO_OBJECT)
		return name;
	other = names__object(canvas->runs[1], pair->objects[1], false);
	if (strcmp(name, other) != 0)
		text__replace(&name, "%s, %s", name, other);
	free(other);
	return name;
}

static void draw_object(struct canvas *canvas, const struct object_pair *pair,
			const struct object_line *line, FILE *stream)
{
	const uint64_t moved = line->changes[PAIR_CHANGED] + line->changes[PAIR_ONLY_FIRST] +
			       line->changes[PAIR_ONLY_SECOND];
	autofree char *name = name_of(canvas, pair), *label = NULL;

	label = text__of("%s: %s not the same in both", name,
			 quantity__count(moved, "page is", "pages are").text);
	canvas->y = 2; /* frames need room */
	page_cells__begin(&canvas->cells);
	for (size_t i = 0; i < pair->count; i++)
		if (pair->strips[i].count)
			draw_strips(canvas, &pair->strips[i]);
	page_cells__finish(&canvas->cells, label, canvas->y, stream);
}

static void draw_legend(const struct page_map maps[PAIR_SIDES], FILE *stream)
{
	uint64_t counts[PAIR_SIDES][PAGE_STATE_COUNT];

	for (int side = 0; side < PAIR_SIDES; side++)
		page_strips__count(maps[side].strips, maps[side].count, counts[side]);
	page_legend__begin(counts[0], counts[1], stream);
	legend__entry(stream, "none", '\0', "no such page");
	legend__end(stream);
}

static const char caption[] =
	"Each page twice: above as in A, below as in B. A frame and a triangle below: not the same. Files "
	"without a fault of the child are only in the table. Pages of a file that was built again are paired by "
	"what lies in them, else by their order.";

static void draw_pairs(struct canvas *canvas, const struct page_map maps[PAIR_SIDES],
		       const struct table_output *output)
{
	struct page_pairs pairs = page_pairs__of(canvas->runs, maps);
	struct table *table = table__new(NULL);
	FILE *stream = html_page__markup(output->page);

	figure__begin(stream);
	draw_legend(maps, stream);
	for (size_t i = 0; i < pairs.count; i++) {
		const struct object_line line = line_of(&pairs.objects[i]);

		if (has_faults(&pairs.objects[i]))
			draw_object(canvas, &pairs.objects[i], &line, stream);
	}
	figure__end(stream, caption);
	TABLE_COLUMNS(table, object_columns, NULL);
	for (size_t i = 0; i < pairs.count; i++) {
		struct object_line line = line_of(&pairs.objects[i]);

		line.object = cell__own(name_of(canvas, &pairs.objects[i]));
		table__add(table, &line);
	}
	table__total(table, "total");
	table__finish(table, output);
	page_pairs__free(&pairs);
}

static void draw_maps(struct canvas *canvas, const struct layout *const layouts[PAIR_SIDES],
		      const struct table_output *output)
{
	char *whose = names__group(canvas->runs[0], canvas->groups[0], false), *title;
	struct page_map maps[PAIR_SIDES];

	title = text__of("Pages of a child, before and after: %s", whose);
	html_page__heading(output->page, title);
	free(title);
	title = text__of("A is %s, B is %s.", canvas->labels[0], canvas->labels[1]);
	wrap__print(NULL, title, 0, 0, output);
	for (int side = 0; side < PAIR_SIDES; side++)
		maps[side] = page_map__of(canvas->runs[side], layouts[side]);
	draw_pairs(canvas, maps, output);
	for (int side = 0; side < PAIR_SIDES; side++)
		page_map__free(&maps[side]);
	free(whose);
	free(title);
}

/* The layout of the same group in the other run; NULL: it has none. */
static const struct layout *same_layout(const struct run *run, uint32_t group, const struct run *other)
{
	const uint32_t same = same_group__in(other, run, group, SAME_PARENT);

	return same == NO_GROUP ? NULL : anatomy__layout(other->anatomy, same);
}

static const struct run *first_run(const struct comparison *comparison, size_t column)
{
	const struct compare_column *own = &comparison->columns[column];

	return own->run_count && own->runs[0]->anatomy ? own->runs[0] : NULL;
}

void picture__page_maps(const struct comparison *comparison, const struct table_output *output)
{
	const size_t sides[PAIR_SIDES] = { comparison->baseline, !comparison->baseline };
	const struct run *runs[PAIR_SIDES] = { first_run(comparison, sides[0]),
					       first_run(comparison, sides[1]) };
	size_t drawn = 0;

	if (!output->page || !runs[0] || !runs[1])
		return;
	for (size_t i = 0; i < runs[0]->anatomy->layout_count && drawn < MOST_MAPS; i++) {
		const struct layout *layout = &runs[0]->anatomy->layouts[i];
		const struct layout *other = same_layout(runs[0], layout->group, runs[1]);
		struct canvas canvas = {
			.cells = { are_alike, NULL, draw_mark, end_line },
			.runs = { runs[0], runs[1] },
			.groups = { layout->group, other ? other->group : NO_GROUP },
			.labels = { comparison->columns[sides[0]].label,
				    comparison->columns[sides[1]].label },
		};
		const struct layout *const layouts[PAIR_SIDES] = { layout, other };

		if (!other)
			continue;
		draw_maps(&canvas, layouts, output);
		drawn++;
	}
}
