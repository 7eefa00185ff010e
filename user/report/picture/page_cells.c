// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/page_cells.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/anatomy/words_anatomy.h"

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

const char *const page_styles[PAGE_STATE_COUNT] = {
	[PAGE_UNKNOWN] = "c7",	 [PAGE_UNTOUCHED] = "c0",  [PAGE_SHARED] = "c6",
	[PAGE_MAPPED] = "c5",	 [PAGE_OWN] = "c4",	   [PAGE_BY_KERNEL] = "c3",
	[PAGE_BY_PROGRAM] = "c2", [PAGE_BY_LDSO] = "c1",
};

char page_letter(enum page_state state)
{
	return state >= PAGE_OWN || state == PAGE_UNKNOWN ? page_state_letters[state] : '\0';
}

char *words__mapping(const struct layout_vma *vma)
{
	return text__of("%c%c%c%s", vma->read ? 'r' : '-', vma->write ? 'w' : '-', vma->exec ? 'x' : '-',
			vma->kind == PLACE_BSS ? " .bss" : "");
}

char *words__fault(const struct run *run, const struct anatomy_row *row, uint64_t children)
{
	autofree char *place = words__place(run, &row->place), *code = words__code(run, row);
	char *text = text__of("%s\n%s by %s%s%s\nin %" PRIu64 " of %s, %s", place,
			      fault_counters[row->class].header, actor_counters[row->actor].header,
			      *code ? ": " : "", code, row->children,
			      quantity__count(children, "child", "children").text,
			      quantity__time(anatomy_row__ns(row)).text);

	return text;
}

void page_legend__begin(const uint64_t first[PAGE_STATE_COUNT], const uint64_t second[PAGE_STATE_COUNT], FILE *stream)
{
	legend__begin(stream);
	for (int state = PAGE_STATE_COUNT - 1; state >= 0; state--)
		if (first[state] || second[state])
			legend__entry(stream, page_styles[state], page_letter(state), page_state_words[state]);
}
