// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables as CSV (RFC 4180), one after the other with a line "# title" before each. Control
 * characters are escaped as on a terminal, so that a line of output is a row of the table.
 *
 * Spreadsheets take a text that begins with one of = + - @ for a formula, and run it: it gets an apostrophe in front.
 * So does one that begins with apostrophes and then one of these: whoever takes one away has the text again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "format/escape.h"
#include "format/grid.h"

/* "-5", "+1.5e3": the same to a spreadsheet as what is written as a number. */
static bool is_number(const char *text)
{
	char *end;

	if (strspn(text, "+-.0123456789eE") != strlen(text))
		return false;
	strtod(text, &end);
	return end > text && !*end;
}

/* Wide signs count in some languages. A lone "-" stands for a value that is not known. */
static bool is_formula(const char *text)
{
	static const char *const begins[] = { "=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20" };

	if (!strcmp(text, "-") || is_number(text))
		return false;
	text += strspn(text, "'");
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(text, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static void put_field(const char *text, FILE *stream)
{
	autofree char *safe = escape__text(text, true);
	const char *guard = is_formula(safe) ? "'" : "";

	if (!strpbrk(safe, ",\"")) {
		fprintf(stream, "%s%s", guard, safe);
	} else {
		fprintf(stream, "\"%s", guard);
		for (const char *c = safe; *c; c++) {
			if (*c == '"')
				putc('"', stream);
			putc(*c, stream);
		}
		putc('"', stream);
	}
}

static void end_line(FILE *stream)
{
	fputs("\r\n", stream);
}

static void print_title(const char *title, FILE *stream)
{
	autofree char *safe = escape__text(title, true);

	fprintf(stream, "# %s", safe);
	end_line(stream);
}

/* A number has nothing to escape. */
static void put_cell(const struct grid *grid, size_t cell, FILE *stream)
{
	if (grid->is_number[cell])
		fputs(grid->cells[cell], stream);
	else
		put_field(grid->cells[cell], stream);
}

void format__csv(struct grid *grid, const struct table_output *output)
{
	FILE *stream = output->stream;

	if (grid->title)
		print_title(grid->title, stream);
	for (size_t row = 0; row < grid->rows; row++) {
		for (size_t column = 0; column < grid->columns; column++) {
			if (column)
				putc(',', stream);
			put_cell(grid, row * grid->columns + column, stream);
		}
		end_line(stream);
	}
}
