/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a line may end: between words, and behind the slashes of a path. What stands between two
 * such places is a piece, which is never broken. Texts are escaped.
 */
#ifndef FORKTAX_FORMAT_PIECES_H
#define FORKTAX_FORMAT_PIECES_H

#include <stddef.h>

/* Columns of the longest piece. */
size_t pieces__longest(const char *text);
/* The text with a newline behind each line of at most `room` columns, or of one piece; to be freed. */
char *pieces__lines(const char *text, size_t room);

#endif
