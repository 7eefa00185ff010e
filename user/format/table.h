/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A table as data: reports build it, from columns (format/column.h) or by hand; renderers print it.
 */
#ifndef FORKTAX_FORMAT_TABLE_H
#define FORKTAX_FORMAT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/cell.h"

struct table;

/* What a column holds. Texts are aligned left, the others right. */
enum column_kind { COLUMN_TEXT, COLUMN_COUNT, COLUMN_NUMBER, COLUMN_ESTIMATE };
/* A column may be left out where no row has anything to say in it. */
enum column_need {
	SHOWN_ALWAYS,
	SHOWN_IF_KNOWN, /* left out if all its cells are blank or absent */
	SHOWN_IF_ANY, /* or zero */
};
/* Who sees a part of the table: people read what fits a page, programs read all there is. */
enum table_view { VIEW_READING = 1, VIEW_DATA = 2, VIEW_BOTH = 3 };

struct table *table__new(const char *title); /* title NULL: none */
/* Takes ownership of the titles: for people, and for programs (NULL: the same). */
struct table *table__titled(char *title, char *data_title);
void table__free(struct table *table);
/* It stands below a picture, in the section of that. */
void table__drop_title(struct table *table);
/* Columns that do not fit the page continue below, with the first column repeated. */
void table__may_continue_below(struct table *table);
/* Rows belong to those above them, so that readers of a page cannot sort them. */
void table__keep_order(struct table *table);

void table__column(struct table *table, const char *header, enum column_kind kind);
void table__put_column(struct table *table, const char *header, enum column_kind kind,
		       enum table_view view); /* view 0: nobody sees it */
void table__name_column(struct table *table, const char *key); /* what programs call the last one */
void table__spare_column(struct table *table, int spare); /* the last one, as in format/column.h */
/* The last one, in that view. */
void table__need_column(struct table *table, enum table_view view, enum column_need need);

/* Starts a row below the last one; cells then fill it from left to right. */
void table__row(struct table *table);
void table__row_for(struct table *table, enum table_view view);
/*
 * The same, as a child of row `parent` (0-based) of a tree; the rows of a tree come in depth-first
 * order. Its lines are drawn in the first column of text; CSV shows none.
 */
void table__row_below(struct table *table, size_t parent);
/* A dashed line, as strace -c draws above its total. People only. */
void table__rule(struct table *table);
/* Starts a row with its name in the first cell; the others follow. */
void table__named_row(struct table *table, const char *name);
/* Such a row as a heading: below a rule, if there is something above. */
void table__heading(struct table *table, const char *text);
void table__put(struct table *table, struct cell cell);
void table__text(struct table *table, const char *text); /* NULL or "": an empty cell */
void table__count(struct table *table, uint64_t count); /* ABSENT (UINT64_MAX): "-" */
/* How many of so many rows a table shows that may have `most`: all, if "1 other" would stand for a single one. */
size_t table__most(size_t count, size_t most);
/*
 * Rows since the last rule beyond the first `most` become one, which adds up their numbers and is called
 * "(3 other causes)": if they are two at least.
 */
void table__limit(struct table *table, size_t most, const char *things);
/* Below a rule, what all rows add up to. */
void table__total(struct table *table, const char *name);
size_t table__rows(const struct table *table); /* with rules */
bool table__has_rows_for(const struct table *table, enum table_view view);

/* Output formats: the rows of formats.def. */
enum table_style {
#define FORMAT(id, name, view, colour) TABLE_##id,
#include "format/formats.def"
#undef FORMAT
	TABLE_STYLE_COUNT
};

struct html_page;

struct table_output {
	FILE *stream;
	enum table_style style;
	bool colour; /* only ever true on a terminal without NO_COLOR */
	bool utf8; /* false: tree lines in ASCII */
	unsigned int width; /* columns of the terminal, 0: not limited */
	struct html_page *page; /* of TABLE_HTML, which it is printed into (format/html/html_page.h); else NULL */
};

/* For whom the output is: VIEW_READING or VIEW_DATA. */
enum table_view table_output__view(const struct table_output *output);
enum table_view table_style__view(enum table_style style);
bool table_style__has_colour(enum table_style style); /* if the terminal has */
/* Text from outside made safe for this output (format/escape.h); to be freed. */
char *table_output__safe(const struct table_output *output, const char *text);
void table__print(const struct table *table, const struct table_output *output);
/*
 * Prints the table, for people after an empty line, and frees it. Prints nothing if it is NULL or
 * has no rows for this reader.
 */
void table__show(struct table *table, const struct table_output *output);
/* Prints it without an empty line above, and frees it. */
void table__finish(struct table *table, const struct table_output *output);

#endif
