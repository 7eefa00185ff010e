/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Long text in a tenth of its bytes: compressed (zlib), and that as letters (base 64), which nothing in a
 * page can mistake for markup.
 */
#ifndef FORKTAX_FORMAT_HTML_PACKED_H
#define FORKTAX_FORMAT_HTML_PACKED_H

#include <stddef.h>

/* To be freed. */
char *text__packed(const char *text);
/* The text of so many bytes again, to be freed; NULL: these letters are not what was packed. */
char *text__unpacked(const char *letters, size_t size);

#endif
