/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What stands beside tables: headings, bars, and running text that is broken between words to fit
 * the terminal.
 */
#ifndef FORKTAX_FORMAT_WRAP_H
#define FORKTAX_FORMAT_WRAP_H

#include "format/table.h"

/* Columns that text and pictures may take: those of the terminal, 80 where there is none. */
unsigned int wrap__width(const struct table_output *output);

/*
 * Prints a paragraph indented to column `hang`, with `label` (NULL: none) at column `indent` of its
 * first line. Both are escaped; a word longer than a line gets its own. A number and the word after it stay together.
 * Ends with a newline.
 */
void wrap__print(const char *label, const char *text, unsigned int indent, unsigned int hang,
		 const struct table_output *output);

/* The same with the label at the margin and the text behind it; takes ownership of `text`. */
void wrap__labelled(const char *label, char *text, const struct table_output *output);
/* The same, followed by what separates paragraphs in this output format. */
void wrap__paragraph(const char *label, char *text, const struct table_output *output);
void wrap__separate(const struct table_output *output); /* only that */

/* A line that is not broken but cut, with "..." at its end, where the terminal ends. */
void wrap__cut_line(const char *text, const struct table_output *output);

/* A command to be copied: on a line of its own, which is never broken. */
void wrap__command(const char *command, unsigned int indent, const struct table_output *output);

/* A heading: escaped, bold where there is colour, broken between words to fit the terminal, with a
   newline. */
void wrap__title(const char *title, const struct table_output *output);

/*
 * What is laid out in lines and columns without being a table: where text is markup, it stands as
 * it is, between fences. It is printed to the output that this returns; then picture__end() gets
 * the original.
 */
struct table_output picture__begin(const struct table_output *output);
void picture__end(const struct table_output *output);

/*
 * A bar of `share` (0..1; other values are cut) of `columns`, without padding; to be freed. It is
 * drawn in eighths of a column if `utf8`, else in ASCII.
 */
char *bar__text(double share, unsigned int columns, bool utf8);

#endif
