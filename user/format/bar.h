/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bar of a chart: in eighths of a column where the terminal has the characters, else in ASCII.
 */
#ifndef FORKTAX_FORMAT_BAR_H
#define FORKTAX_FORMAT_BAR_H

#include <stdbool.h>

/* `share` (0..1; other values are cut) of `columns`, without padding; to be freed. */
char *bar__text(double share, unsigned int columns, bool utf8);

#endif
