/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines of the live view.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_LINES_H
#define FORKTAX_REPORT_WATCH_WATCH_LINES_H

#include "base/number.h"
#include "format/full_screen.h"

/* The size of the terminal, and what it understands. */
struct watch_size {
	unsigned int width, height;
	bool utf8;
};

/* Adds text, which it frees, broken between words into at most so many lines; the last one is cut. */
void watch_lines__add(struct screen_lines *lines, char *text, unsigned int most, const struct watch_size *size);
/* Text from outside made safe, cut to that width, and filled up with blanks to it; to be freed. */
char *watch_lines__fit(const char *text, unsigned int width, bool utf8);

/* The decimals of a column of `count` numbers. `first` points to the first one; the distance is between two. */
int watch_lines__decimals(size_t count, const double *first, size_t distance);
/* A number of such a column. "-": not known; "<1": more than 0, but would read as 0. */
struct number_text watch_lines__number(double value, int decimals);

#endif
