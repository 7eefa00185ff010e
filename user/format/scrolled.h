/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reports that are longer than the terminal.
 */
#ifndef FORKTAX_FORMAT_SCROLLED_H
#define FORKTAX_FORMAT_SCROLLED_H

#include <stddef.h>
#include <stdio.h>

/* A text that scrolls away ends with its first paragraph again, unless that makes one page longer. */
void scrolled__write(const char *text, size_t size, FILE *stream);

#endif
