/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pages as cells of a picture, line after line: few are as wide as they are many, many that are alike
 * are one wide mark with their number.
 */
#ifndef FORKTAX_REPORT_PICTURE_PAGE_CELLS_H
#define FORKTAX_REPORT_PICTURE_PAGE_CELLS_H

#include <stdio.h>

#include "analysis/compare/page_state.h"
#include "analysis/forks/page_map.h"

enum { CELL_HEIGHT = 15, CELLS_LEFT = 66 }; /* pixels; the lines begin there */

/* First member of the struct of each kind of picture. Pages are numbers, from 0. */
struct page_cells {
	/* Would both be described by the same text? */
	bool (*are_alike)(const struct page_cells *cells, size_t a, size_t b);
	/* Is it drawn by itself, unless many are alike? NULL: none is. */
	bool (*is_single)(const struct page_cells *cells, size_t page);
	/* Draws so many pages that are alike as one mark of so many cells, at the column. */
	void (*draw)(struct page_cells *cells, size_t first, size_t count, unsigned int wide);
	void (*end_line)(struct page_cells *cells);
	FILE *stream; /* of the picture in progress, whose height is known at the end */
	unsigned int column;
	char *text;
	size_t size;
};

void page_cells__begin(struct page_cells *cells);
/* Draws pages from 0 on; the next ones begin a line. */
void page_cells__draw(struct page_cells *cells, size_t count);
/* Writes the picture to the page, below a heading. */
void page_cells__finish(struct page_cells *cells, const char *label, double height, FILE *page);

/* Pixels of a mark at the column. */
double page_cells__x(const struct page_cells *cells);
double page_cells__width(unsigned int wide);
/* What stands in a mark: how many pages it is for, or the letter of what became of them. */
void page_cells__label(const struct page_cells *cells, enum page_state state, size_t count,
		       double y, unsigned int wide);

/* What is drawn of a page, and said of it. */
extern const char *const page_styles[PAGE_STATE_COUNT]; /* classes of page.css */

/* The letter in its cell; 0: it has none. */
char page_letter(enum page_state state);
/* "rw- .bss": what a mapping allows, and what it is for; to be freed. */
char *words__mapping(const struct layout_vma *vma);
/* Lines about the fault of a page in some of the recorded children; to be freed. */
char *words__fault(const struct run *run, const struct anatomy_row *row, uint64_t children);
/* What the marks mean, for the states that occur in either list; the last line is the caller's. */
void page_legend__begin(const uint64_t first[PAGE_STATE_COUNT], const uint64_t second[PAGE_STATE_COUNT], FILE *stream);

#endif
