// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cmd/options/sets.h"
#include "cmd/options/types.h"

#include <stdlib.h>

#include "base/text.h"

static const char *const sort_words[] = { "time",   "min-time", "max-time", "avg-time", "calls",
					  "errors", "name",	"nothing",  NULL };
static const char *const compare_sort_words[] = { "calls", "name", NULL };
static const char *const colour_words[] = {
	[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL,
};

/* The other names that strace has for keys are accepted, but not shown. */
static int take_sort(const struct option_row *row, void *field, const char *argument, char **reason)
{
	enum sort_key key, listed;

	if (!sort_key__parse(argument, &key))
		return option_row__wrong_word(row, reason);
	for (size_t i = 0; row->words[i]; i++) {
		if (!sort_key__parse(row->words[i], &listed) || listed != key)
			continue;
		*(enum sort_key *)field = key;
		return 0;
	}
	return option_row__wrong_word(row, reason);
}

/* The last choice of calls counts, and the last one of statuses. */
static int take_filter(const struct option_row *row, void *field, const char *argument,
		       char **reason)
{
	struct filter **filter = field, *more = filter__parse(argument, reason);

	if (!more)
		return -1;
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
	return text__wrong(reason, "is for a single run; a comparison lists errors in rows of their own");
}

static int take_status(const struct option_row *row, void *field, const char *argument,
		       char **reason)
{
	char *expression = text__of("status=%s", argument ? argument : row->words[0]);
	int status = take_filter(row, field, expression, reason);

	free(expression);
	return status;
}

static const char *const successful_words[] = { "successful", NULL };
static const char *const failed_words[] = { "failed", NULL };

static const struct option_type option_sort = { .completes = "words", .take = take_sort };
static const struct option_type option_filter = { .completes = "filter", .take = take_filter };
static const struct option_type option_calls = { .completes = "calls", .take = take_calls };
static const struct option_type option_status = { .completes = "status", .take = take_status };
static const struct option_type option_one_status = { .take = take_status };

enum {
	FOR_RUNS = FOR_RUN | FOR_EXPLAIN | FOR_REPORT,
	FOR_MEASURED = FOR_COMPARE | FOR_BINDNOW | FOR_BENCH,
};

static const char *const csv_words[] = { "long", NULL };

static int take_csv(const struct option_row *row, void *field, const char *argument, char **reason)
{
	bool *formats = field;

	if (argument && strcmp(argument, csv_words[0]) != 0)
		return option_row__wrong_word(row, reason);
	formats[argument ? TABLE_CSV_LONG : TABLE_CSV] = true;
	return 0;
}

static const struct option_type option_csv = {
	.completes = "words", .take = take_csv, .optional = true,
};

static const char *const files_words[] = { "all", NULL };

static int take_files(const struct option_row *row, void *field, const char *argument, char **reason)
{
	if (argument && strcmp(argument, files_words[0]) != 0)
		return option_row__wrong_word(row, reason);
	*(enum files_view *)field = argument ? FILES_ALL : FILES_MAIN;
	return 0;
}

static const struct option_type option_files = {
	.completes = "words", .take = take_files, .optional = true,
};

#define DISPLAY(member) FIELD(struct report_options, member)

/* What only some runs have is asked of a new one at once. `others`: beside run. */
#define EXPORT_OF(name, id, needed, others, help)                                                  \
	OPTION(0, name, NULL, &option_flag, DISPLAY(exports[EXPORT_##id]), help,                   \
	       .commands = FOR_RUN, .one_of = "format", .needs = needed),                          \
	OPTION(0, name, NULL, &option_flag, DISPLAY(exports[EXPORT_##id]), help,                   \
	       .commands = others, .one_of = "format")

const struct option_row display_rows[] = {
	OPTION('S', "sort", "KEY", &option_sort, DISPLAY(sort),
	       "order of system calls: time, min-time, max-time, avg-time, calls, errors, name or "
	       "nothing; of an anatomy's faults: time, calls (number), name (place) or nothing "
	       "(occurrence)",
	       .commands = FOR_RUNS, .words = sort_words),
	OPTION(0, "summary-sort-by", "KEY", &option_sort, DISPLAY(sort), NULL, .commands = FOR_RUNS,
	       .words = sort_words),
	OPTION('S', "sort", "KEY", &option_sort, DISPLAY(sort),
	       "order of system calls: calls or name", .commands = FOR_COMPARE,
	       .words = compare_sort_words),
	OPTION('e', "trace", "SET", &option_filter, DISPLAY(filter),
	       "show only these system calls: names, %class, /regex, !SET, or status=SET, as strace",
	       .commands = FOR_RUNS),
	OPTION('e', "trace", "SET", &option_calls, DISPLAY(filter),
	       "show only these system calls: names, %class, /regex, !SET, as strace",
	       .commands = FOR_COMPARE),
	OPTION(0, "status", "SET", &option_status, DISPLAY(filter),
	       "show only calls that ended so: successful, failed, unfinished, !SET, as strace",
	       .commands = FOR_RUNS),
	OPTION('z', "successful-only", NULL, &option_one_status, DISPLAY(filter),
	       "the same as --status=successful", .commands = FOR_RUNS, .words = successful_words),
	OPTION('Z', "failed-only", NULL, &option_one_status, DISPLAY(filter),
	       "the same as --status=failed", .commands = FOR_RUNS, .words = failed_words),
	OPTION(0, "classes", NULL, &option_flag, DISPLAY(classes),
	       "the calls by class: %file, %process, %memory, ..., as strace", .commands = FOR_RUNS),
	OPTION(0, "per-child", NULL, &option_flag, DISPLAY(per_child), "one row per process",
	       .commands = FOR_RUNS),
	OPTION(0, "tree", NULL, &option_flag, DISPLAY(tree), "who created whom",
	       .commands = FOR_RUNS),
	OPTION(0, "all-groups", NULL, &option_flag, DISPLAY(all_groups),
	       "every group of children, not only those of most weight", .commands = FOR_RUNS),
	OPTION(0, "files", "all", &option_files, DISPLAY(files),
	       "what was looked for, opened, read, written and mapped: those files that matter "
	       "most, or all",
	       .commands = FOR_RUN | FOR_REPORT, .words = files_words),
	OPTION(0, "start-calls", NULL, &option_flag, DISPLAY(start_calls),
	       "each system call of a start, with what it is for", .commands = FOR_RUNS),
	OPTION('o', "output", "FILE", &option_file, DISPLAY(path),
	       "write to FILE instead; - is stdout"),
	OPTION(0, "json", NULL, &option_flag, DISPLAY(json),
	       "everything there is: `forktax report FILE` prints it again", .one_of = "format"),
	OPTION(0, "csv", "long", &option_csv, DISPLAY(formats),
	       "tables as CSV, or all as one, a line for each cell: table, row, column, value",
	       .commands = FOR_RUNS | FOR_WORKERS | FOR_CHECK, .one_of = "format", .words = csv_words),
	OPTION(0, "csv", "long", &option_csv, DISPLAY(formats),
	       "one line per figure of a column or cell, or for each cell of these",
	       .commands = FOR_MEASURED, .one_of = "format", .words = csv_words),
	OPTION(0, "json-lines", NULL, &option_flag, DISPLAY(formats[TABLE_JSON_LINES]),
	       "each row of a table as a JSON object on a line", .one_of = "format"),
	OPTION(0, "markdown", NULL, &option_flag, DISPLAY(formats[TABLE_MARKDOWN]),
	       "tables in Markdown", .one_of = "format"),
	OPTION(0, "html", NULL, &option_flag, DISPLAY(formats[TABLE_HTML]),
	       "one page with pictures and tables for a browser, and all that --json saves in it: "
	       "`forktax report PAGE` reads it back", .one_of = "format"),
	EXPORT_OF("pprof", PPROF, "anatomy", FOR_EXPLAIN | FOR_REPORT,
		  "the faults of an anatomy for pprof (profile.proto, gzip)"),
	EXPORT_OF("collapsed", COLLAPSED, "anatomy", FOR_EXPLAIN | FOR_REPORT,
		  "the faults of an anatomy as collapsed stacks, for flame graphs and speedscope"),
	EXPORT_OF("perfetto", PERFETTO, "per-child", FOR_REPORT,
		  "the processes on a clock, for ui.perfetto.dev"),
	EXPORT_OF("openmetrics", OPENMETRICS, NULL, FOR_EXPLAIN | FOR_REPORT,
		  "the counts as OpenMetrics, for Prometheus"),
	EXPORT_OF("seccomp-profile", SECCOMP, NULL, FOR_EXPLAIN | FOR_REPORT,
		  "the calls seen as a seccomp profile for containers (OCI)"),
	OPTION(0, "all", NULL, &option_flag, DISPLAY(all_workers),
	       "every worker and every mapping, not only those with most of their own",
	       .commands = FOR_WORKERS),
	OPTION(0, "all", NULL, &option_flag, DISPLAY(all_workers),
	       "every worker and every mapping (of workers)", .commands = FOR_REPORT),
	OPTION(0, "all", NULL, &option_flag, DISPLAY(all_workers),
	       "every metric, not only those that moved", .commands = FOR_CHECK),
	OPTION(0, "color", "WHEN", &option_word, DISPLAY(colour), "auto, always or never",
	       .words = colour_words),
	OPTION(0, "colour", "WHEN", &option_word, DISPLAY(colour), NULL, .words = colour_words),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet), "only the tables",
	       .commands = FOR_RUNS | FOR_WORKERS),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet),
	       "only tables and verdict, no progress", .commands = FOR_MEASURED),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet),
	       "nothing of commands that hold, no progress", .commands = FOR_CHECK),
	OPTION(0, "strict", NULL, &option_flag, DISPLAY(strict), "exit status 3 if a run is not exact",
	       .commands = FOR_RUNS | FOR_COMPARE | FOR_BINDNOW),
	OPTION(0, "strict", NULL, &option_flag, DISPLAY(strict),
	       "exit status 3 if anything is not certain", .commands = FOR_WORKERS),
	OPTION(0, "counters", NULL, &option_flag, DISPLAY(counters),
	       "explain every counter and exit", .commands = FOR_RUNS),
	OPTION(0, "history", NULL, &option_flag, DISPLAY(history),
	       "show published figures of old, too, where there are any (of a bench)",
	       .commands = FOR_BENCH | FOR_REPORT),
	{ 0 },
};

void report_options__free(struct report_options *options)
{
	filter__free(options->filter);
	options->filter = NULL;
}
