/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hostile text made safe to print: file names and arguments may hold anything, and a terminal obeys
 * some of it.
 */
#ifndef FORKTAX_FORMAT_ESCAPE_H
#define FORKTAX_FORMAT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * A copy of `text` (to be freed) where each byte of a character that nobody sees (utf8__is_hidden()) or of invalid
 * UTF-8 reads \xNN, and so does a backslash before an x, which keeps the copy unambiguous. Unless `utf8`, everything
 * beyond ASCII is escaped too. NULL gives "". Never fails (allocation failure ends the program).
 */
char *escape__text(const char *text, bool utf8);

/*
 * Writes the same in UTF-8 between double quotes, with a backslash before each quote and backslash: a
 * string of JSON, or the value of a label of Prometheus.
 */
void escape__quote(FILE *stream, const char *text);

/* Columns that escaped text takes on a terminal. */
size_t escape__width(const char *text);
/* Bytes of its first character (the text is not empty), and the columns that this takes. */
size_t escape__character(const char *text, size_t *columns);

#endif
