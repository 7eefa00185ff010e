// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/autofree.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/run/call_errors.h"

static const char *const colour_words[] = {
	[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL,
};

/* The last choice of calls counts, and the last one of statuses. */
static int take_filter(const struct option_row *row, void *field, const char *argument, char **reason)
{
	struct filter **filter = field, *more = filter__parse(argument, reason);

	if (!more)
		return -1;
	filter__name(more, row->letter ? "-e" : "--status");
	*filter = filter__join(*filter, more);
	return 0;
}

/* A comparison has no rows of calls that ended one way or the other. */
static int take_calls(const struct option_row *row, void *field, const char *argument, char **reason)
{
	if (take_filter(row, field, argument, reason))
		return -1;
	if (!filter__has_status(*(struct filter **)field))
		return 0;
	return error__set(reason, "is for a single run; a comparison lists errors in rows of their own");
}

static int take_status(const struct option_row *row, void *field, const char *argument, char **reason)
{
	autofree char *expression = text__of("status=%s", argument);
	int status = take_filter(row, field, expression, reason);

	return status;
}

static const char *status_word(const struct option_row *row, size_t index)
{
	return index < CALL_STATUS_COUNT ? call_status_keys[index] : NULL;
}

static const struct option_type option_filter = { .completes = "filter", .take = take_filter };
static const struct option_type option_calls = { .completes = "calls", .take = take_calls };
static const struct option_type option_status = {
	.completes = "list", .take = take_status, .word = status_word,
};

enum {
	FOR_RUNS = FOR_RUN | FOR_EXPLAIN | FOR_REPORT,
	FOR_MEASURED = FOR_COMPARE | FOR_BINDNOW | FOR_BENCH,
};

static const char *const files_words[] = { "all", NULL };

static int take_files(const struct option_row *row, void *field, const char *argument, char **reason)
{
	if (argument && strcmp(argument, files_words[0]) != 0)
		return option_row__wrong_word(row, argument, reason);
	*(enum files_view *)field = argument ? FILES_ALL : FILES_MAIN;
	return 0;
}

static const struct option_type option_files = {
	.completes = "words", .take = take_files, .optional = true,
};

#define DISPLAY(member) FIELD(struct report_options, member)

#define SHOW_OF(commands_, also)                                                                   \
	OPTION(0, "show", "NAME,...", &option_show, DISPLAY(show),                                 \
	       "print only these sections" also "; a wrong name lists them all", .commands = commands_)

/* What only some runs have is asked of a new one at once. `others`: beside run. */
#define EXPORT_OF(name, id, needed, others, help)                                                  \
	OPTION(0, name, NULL, &option_flag, DISPLAY(exports[EXPORT_##id]), help,                   \
	       .commands = FOR_RUN, .one_of = "format", .needs = needed),                          \
	OPTION(0, name, NULL, &option_flag, DISPLAY(exports[EXPORT_##id]), help,                   \
	       .commands = others, .one_of = "format")

const struct option_row display_rows[] = {
	OPTION('e', "trace", "SET", &option_filter, DISPLAY(filter),
	       "show only these system calls: names, %class, /regex, !SET or status=SET, as in "
	       "strace",
	       .commands = FOR_RUN | FOR_REPORT),
	OPTION('e', "trace", "SET", &option_calls, DISPLAY(filter),
	       "show only these system calls: names, %class, /regex or !SET, as in strace",
	       .commands = FOR_COMPARE),
	OPTION(0, "status", "SET", &option_status, DISPLAY(filter),
	       "show only calls with this status: successful, failed, unfinished or !SET, as in "
	       "strace",
	       .commands = FOR_RUN | FOR_REPORT),
	OPTION(0, "files", "all", &option_files, DISPLAY(files), "show file activity: the most used files, or all",
	       .commands = FOR_RUN | FOR_REPORT, .words = files_words),
	OPTION('v', "verbose", NULL, &option_flag, DISPLAY(verbose), "print every section, not only the answer",
	       .commands = FOR_RUNS | FOR_MEASURED | FOR_WORKERS),
	SHOW_OF(FOR_RUN, " (processes, tree: of every process)"),
	SHOW_OF(FOR_EXPLAIN, ""),
	SHOW_OF(FOR_COMPARE, ""),
	SHOW_OF(FOR_BINDNOW, ""),
	SHOW_OF(FOR_WORKERS, ""),
	SHOW_OF(FOR_REPORT, ""),
	OPTION(0, "top", "N", &option_count, DISPLAY(top), "print up to N rows of each table",
	       .commands = FOR_RUNS | FOR_COMPARE | FOR_BINDNOW | FOR_WORKERS, .least = 1, .most = 1000000),
	OPTION(0, "no-pager", NULL, &option_flag, DISPLAY(no_pager), NULL), /* as git has it, in scripts of people */
	OPTION('o', "output", "FILE", &option_file, DISPLAY(path), "write the report to FILE; - is stdout"),
	OPTION(0, "json", NULL, &option_flag, DISPLAY(json), "save everything as JSON (`forktax report FILE` reads it)",
	       .one_of = "format"),
	OPTION(0, "csv", NULL, &option_flag, DISPLAY(formats[TABLE_CSV]), "print tables as CSV",
	       .commands = FOR_RUNS | FOR_WORKERS | FOR_CHECK, .one_of = "format"),
	OPTION(0, "csv", NULL, &option_flag, DISPLAY(formats[TABLE_CSV]),
	       "print one CSV line per figure of a column",
	       .commands = FOR_COMPARE | FOR_BINDNOW, .one_of = "format"),
	OPTION(0, "html", NULL, &option_flag, DISPLAY(formats[TABLE_HTML]),
	       "write one HTML page with pictures and tables", .one_of = "format"),
	EXPORT_OF("pprof", PPROF, "anatomy", FOR_EXPLAIN | FOR_REPORT,
		  "export page faults for pprof (profile.proto, gzip)"),
	EXPORT_OF("collapsed", COLLAPSED, "anatomy", FOR_EXPLAIN | FOR_REPORT,
		  "export page faults as collapsed stacks, for flame graphs and speedscope"),
	OPTION(0, "all", NULL, &option_flag, DISPLAY(all_workers),
	       "list every worker and every mapping, not only the largest", .commands = FOR_WORKERS),
	OPTION(0, "all", NULL, &option_flag, DISPLAY(all_workers), "list every worker and every mapping (of workers)",
	       .commands = FOR_REPORT),
	OPTION(0, "all", NULL, &option_flag, DISPLAY(all_workers), "list every metric, not only those that changed",
	       .commands = FOR_CHECK),
	OPTION(0, "color", "WHEN", &option_word, DISPLAY(colour),
	       "use colours: auto (default: on a terminal), always or never", .words = colour_words),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet), "print only the tables",
	       .commands = FOR_RUN | FOR_REPORT | FOR_WORKERS),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet), "print no progress and no hints",
	       .commands = FOR_EXPLAIN),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet),
	       "print only tables and verdict, no progress", .commands = FOR_MEASURED),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet),
	       "print only commands that regressed, no progress", .commands = FOR_CHECK),
	OPTION(0, "strict", NULL, &option_flag, DISPLAY(strict), "exit with status 3 if a run is "
	       "not exact",
	       .commands = FOR_RUNS | FOR_COMPARE | FOR_BINDNOW),
	OPTION(0, "strict", NULL, &option_flag, DISPLAY(strict),
	       "exit with status 3 if anything is not certain", .commands = FOR_WORKERS),
	{ 0 },
};

void report_options__free(struct report_options *options)
{
	filter__free(options->filter);
	options->filter = NULL;
}
