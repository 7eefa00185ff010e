/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the reader of a report has chosen to see, and how (cmd/options/display.c).
 */
#ifndef FORKTAX_REPORT_OPTIONS_H
#define FORKTAX_REPORT_OPTIONS_H

#include "format/output.h"
#include "report/export/exports.h"
#include "report/run/filter.h"
#include "report/section_names.h"

enum files_view { FILES_UNASKED, FILES_MAIN, FILES_ALL };

struct report_options {
	enum files_view files; /* what is done with which file; the most important ones, or all */
	bool formats[TABLE_STYLE_COUNT]; /* instead of text; at most one */
	bool exports[EXPORT_COUNT]; /* instead of any report; at most one */
	bool verbose; /* everything, not only the answer */
	bool show[SHOW_COUNT]; /* only these sections; none: as `verbose` says */
	uint32_t top; /* rows of each table; 0: as many as `verbose` says */
	bool no_pager; /* accepted: there is none */
	bool json; /* what was saved, instead of any report */
	bool quiet; /* tables only, and what was lost or could not be determined */
	bool strict; /* an inexact run is a failure (exit status 3) */
	bool all_workers; /* of a pool; without it, text has only those that weigh most */
	bool start_alone; /* the answer is that of a start, without tables of the run */
	enum colour_when colour;
	bool by_time; /* page faults in the order of their time, not of their occurrence */
	struct filter *filter; /* NULL: every call */
	const char *path; /* -o; NULL: none */
};

#endif
