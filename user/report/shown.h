/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much of a report is shown: its answer, one screen by default; all of it (-v); or the sections
 * that --show names. A page has everything; data (CSV, JSON lines) has, too, unless sections are named.
 */
#ifndef FORKTAX_REPORT_SHOWN_H
#define FORKTAX_REPORT_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "report/section_names.h"

/* In which report a section stands: in the default one, too, or only with -v. */
enum section_level { BY_DEFAULT, IN_FULL };

struct report_options;
struct table_output;

/* Is it in this report? */
bool section__is_shown(enum section_id id, enum section_level level,
		       const struct report_options *options, const struct table_output *output);
/* Does the report leave out what -v would show? Then its last line says so. */
bool report__is_brief(const struct report_options *options, const struct table_output *output);
/* Rows of a table that by default has `usual`, or fewer to fit one screen: those of --top, or all with -v and in pages. */
size_t report__rows(size_t usual, const struct report_options *options,
		    const struct table_output *output);

/* Rows of a table of single faults, symbols, stacks or members of a pool: even -v shows only its first rows. */
struct room {
	size_t rows;
	const char *others; /* behind "3 more rows": where they are */
};

/* What only a screen says, of options that show more; a page shows it. */
const char *room__hint(const struct report_options *options, const char *hint);
/* `rows`: of a screen without --top and --all. A page has room for all that anybody reads, and folds long tables. */
struct room room__of(const struct report_options *options, size_t rows);
/* The title of a table of the first of `count` rows: "Files (20 of 35: --files=all)"; to be freed. */
char *room__title(const struct room *room, const char *title, size_t count);

#endif
