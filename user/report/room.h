/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How many rows of a table people get. A screen shows the first ones; a page has room for all that
 * anybody reads, folds long tables, and has what was measured inside.
 */
#ifndef FORKTAX_REPORT_ROOM_H
#define FORKTAX_REPORT_ROOM_H

#include "report/options.h"

enum { ROOM_OF_PAGE = 500 }; /* rows */

struct room {
	size_t rows;
	const char *others; /* behind "3 more rows": where they are */
};

/* What only a screen says, of options that show more; a page shows it. */
static inline const char *room__hint(const struct report_options *options, const char *hint)
{
	return options->formats[TABLE_HTML] ? "" : hint;
}

/* `rows`: of a screen, unless other options ask for more. */
static inline struct room room__of(const struct report_options *options, size_t rows)
{
	return (struct room){ options->formats[TABLE_HTML] ? ROOM_OF_PAGE : rows,
			      room__hint(options, ": --json or --csv") };
}

#endif
