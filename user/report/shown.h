/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much of a report is shown: its answer, one screen by default; all of it (-v); or the sections
 * that --show names. A page has everything; data (CSV, JSON lines) has, too, unless sections are named. Long
 * lists are in none of these unless they are named.
 */
#ifndef FORKTAX_REPORT_SHOWN_H
#define FORKTAX_REPORT_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "report/section_names.h"

/* In which report a section stands: in the default one, too; with -v; or only if --show names it. */
enum section_level { BY_DEFAULT, IN_FULL, IF_NAMED };

struct report_options;

/* Is it in this report? */
bool section__is_shown(enum section_id id, enum section_level level, const struct report_options *options);
/* Does the report leave out what -v would show? Then its last line says so. */
bool report__is_brief(const struct report_options *options);

/* Do sections that --show names need a record of each process? */
bool sections__need_processes(const struct report_options *options);

/* How many rows a table has. */
struct room {
	size_t rows;
	const char *others; /* behind "3 more rows": where they are */
};

/* What only a screen says, of options that show more; a page shows it. */
const char *room__hint(const struct report_options *options, const char *hint);
/*
 * `usual`: in the answer. `full`: with -v, and for programs; SIZE_MAX: all. A page has room for all that anybody
 * reads, and folds long tables. --top says it in any case.
 */
struct room room__of(const struct report_options *options, size_t usual, size_t full);
/* The same of a long list, which has its rows only if --show names it: `most`, or all with -v. */
struct room room__of_list(const struct report_options *options, size_t most);
/* The same of one about members of a pool: --all, and a page, have all. */
struct room room__of_pool(const struct report_options *options, size_t usual, size_t full);
/* The title of a table of the first of `count` rows: "Files (20 of 35: --files=all)"; to be freed. */
char *room__title(const struct room *room, const char *title, size_t count);

#endif
