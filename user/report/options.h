/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The options by which `run` and `report` let the reader choose what to see, and how.
 *
 *	static const struct option options[] = { REPORT_LONG_OPTIONS, ..., { 0 } };
 *	while ((option = getopt_long(argc, argv, "+" REPORT_SHORT_OPTIONS "...", ...)) >= 0)
 *		if (!report_options__take(&display, option, optarg, &message)) ...
 */
#ifndef FORKTAX_REPORT_OPTIONS_H
#define FORKTAX_REPORT_OPTIONS_H

#include <getopt.h>

#include "format/output.h"
#include "report/run/filter.h"
#include "report/run/sort.h"

struct report_options {
	bool per_child; /* one row per process */
	bool tree; /* who created whom */
	bool all_groups; /* text has those that weigh most, unless this is set */
	bool json, csv, markdown; /* instead of text; at most one */
	bool quiet; /* tables only; what was lost or could not be told is said all the same */
	bool strict; /* an inexact run is a failure (exit status 3) */
	bool history; /* a bench: with figures of old beside */
	bool counters; /* --counters: explain them instead */
	enum colour_when colour;
	enum sort_key sort;
	struct filter *filter; /* NULL: every call */
	const char *path; /* -o; NULL: none */
};

enum report_option {
	OPTION_PER_CHILD = 0x1000,
	OPTION_TREE,
	OPTION_ALL_GROUPS,
	OPTION_JSON,
	OPTION_CSV,
	OPTION_STRICT,
	OPTION_COUNTERS,
	OPTION_COLOUR,
	OPTION_MARKDOWN, /* these two: where a bench is printed, not in REPORT_LONG_OPTIONS */
	OPTION_HISTORY,
};

#define REPORT_SHORT_OPTIONS "S:e:o:q"
#define REPORT_LONG_OPTIONS                                                                        \
	{ "sort", required_argument, NULL, 'S' },                                                  \
	{ "summary-sort-by", required_argument, NULL, 'S' },                                       \
	{ "trace", required_argument, NULL, 'e' },                                                 \
	{ "output", required_argument, NULL, 'o' },                                                \
	{ "quiet", no_argument, NULL, 'q' },                                                       \
	{ "per-child", no_argument, NULL, OPTION_PER_CHILD },                                      \
	{ "tree", no_argument, NULL, OPTION_TREE },                                                \
	{ "all-groups", no_argument, NULL, OPTION_ALL_GROUPS },                                    \
	{ "json", no_argument, NULL, OPTION_JSON },                                                \
	{ "csv", no_argument, NULL, OPTION_CSV },                                                  \
	{ "strict", no_argument, NULL, OPTION_STRICT },                                            \
	{ "counters", no_argument, NULL, OPTION_COUNTERS },                                        \
	{ "color", required_argument, NULL, OPTION_COLOUR },                                       \
	{ "colour", required_argument, NULL, OPTION_COLOUR }

/* What --help says about them; lines that end in a newline. */
extern const char report_options_help[];

/* OPTION_BAD stores a message (to be freed); OPTION_FOREIGN: the command's own, or getopt's '?'. */
enum option_result { OPTION_TAKEN, OPTION_FOREIGN, OPTION_BAD };
enum option_result report_options__take(struct report_options *options, int option,
					const char *argument, char **message);
void report_options__free(struct report_options *options); /* its contents */

#endif
