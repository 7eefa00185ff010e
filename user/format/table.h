/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A table as data: reports build it, renderers print it. Cells are text that may hold any bytes;
 * renderers escape control characters and invalid UTF-8.
 */
#ifndef FORKTAX_FORMAT_TABLE_H
#define FORKTAX_FORMAT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct table;

enum table_align { ALIGN_LEFT, ALIGN_RIGHT };

struct table *table__new(const char *title); /* title NULL: none */
void table__free(struct table *table);
void table__column(struct table *table, const char *header, enum table_align align);
/* Starts a row below the last one; cells then fill it from left to right. */
void table__row(struct table *table);
/*
 * The same, as a child of row `parent` (0-based) of a tree; the rows of a tree come in depth-first
 * order. Its lines are drawn in the first column of text; CSV shows none.
 */
void table__row_below(struct table *table, size_t parent);
/* A dashed line, as strace -c draws above its total. Not in CSV. */
void table__rule(struct table *table);
void table__text(struct table *table, const char *text); /* NULL or "": an empty cell */
void table__count(struct table *table, uint64_t count); /* ABSENT (UINT64_MAX): "-" */
void table__format(struct table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
size_t table__rows(const struct table *table);

/* How tables reach the reader. */
enum table_style { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN };
struct table_output {
	FILE *stream;
	enum table_style style;
	bool colour; /* only ever true on a terminal without NO_COLOR */
	bool utf8; /* false: tree lines in ASCII */
	unsigned int width; /* columns of the terminal, 0: not limited */
};

void table__print(const struct table *table, const struct table_output *output);

#endif
