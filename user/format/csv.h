/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parts of a line of CSV (RFC 4180). Control characters are escaped as on a terminal.
 */
#ifndef FORKTAX_FORMAT_CSV_H
#define FORKTAX_FORMAT_CSV_H

#include "format/grid.h"

void csv__field(const char *text, FILE *stream);
/* A number has nothing to escape. */
void csv__cell(const struct grid *grid, size_t cell, FILE *stream);
void csv__end_line(FILE *stream);

#endif
