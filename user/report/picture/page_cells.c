// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/page_cells.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/picture/page_styles.h"

enum { CELL = 12, COLUMNS = 84 }; /* pixels; cells of a line */
/* So many pages that are alike are one wide mark, with their number. */
enum { LONG = 24, LONG_CELLS = 5 };

void page_cells__begin(struct page_cells *cells)
{
	cells->column = 0;
	cells->stream = checked(open_memstream(&cells->text, &cells->size));
}

static size_t alike_from(const struct page_cells *cells, size_t first, size_t count)
{
	size_t end = first + 1;

	while (end < count && cells->are_alike(cells, first, end))
		end++;
	return end - first;
}

static void draw_mark(struct page_cells *cells, size_t first, size_t count, unsigned int wide)
{
	if (cells->column + wide > COLUMNS) {
		cells->end_line(cells);
		cells->column = 0;
	}
	cells->draw(cells, first, count, wide);
	cells->column += wide;
}

/* As far as the line goes. */
static void draw_together(struct page_cells *cells, size_t first, size_t count)
{
	while (count) {
		size_t room = cells->column < COLUMNS ? COLUMNS - cells->column : COLUMNS;
		size_t part = count < room ? count : room;

		draw_mark(cells, first, part, part);
		first += part;
		count -= part;
	}
}

void page_cells__draw(struct page_cells *cells, size_t count)
{
	for (size_t first = 0, alike; first < count; first += alike) {
		alike = alike_from(cells, first, count);
		if (alike > LONG) {
			draw_mark(cells, first, alike, LONG_CELLS);
			continue;
		}
		if (cells->is_single && cells->is_single(cells, first))
			alike = 1;
		draw_together(cells, first, alike);
	}
	cells->end_line(cells);
	cells->column = 0;
}

void page_cells__finish(struct page_cells *cells, const char *label, double height, FILE *page)
{
	fclose(cells->stream);
	fputs("<h3>", page);
	html__text(page, label);
	fputs("</h3>\n", page);
	svg__begin(page, "map", CELLS_LEFT + COLUMNS * CELL, height, label);
	fwrite(cells->text, 1, cells->size, page);
	svg__end(page);
	free(cells->text);
}

double page_cells__x(const struct page_cells *cells)
{
	return CELLS_LEFT + cells->column * CELL;
}

double page_cells__width(unsigned int wide)
{
	return wide * CELL - 1;
}

void page_cells__label(const struct page_cells *cells, enum page_state state, size_t count,
		       double y, unsigned int wide)
{
	autofree char *label = count > LONG ? text__of("%zu", count) : text__of("%c", page_letter(state));

	if (*label)
		svg__text(cells->stream, state == PAGE_UNTOUCHED ? "mid" : "off mid",
			  page_cells__x(cells) + page_cells__width(wide) / 2, y + CELL_HEIGHT - 3,
			  label);
}
