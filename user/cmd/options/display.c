// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/options/display.h"

#include "base/text.h"
#include "saved/bench_json.h"
#include "saved/bindnow_json.h"
#include "saved/comparison_json.h"

static const char *sort_word(size_t index)
{
	static const char *const words[] = { "time",  "min-time", "max-time", "avg-time", "calls",
					     "errors", "name",	   "nothing",  NULL };

	return words[index];
}

static int take_sort(const struct option_row *row, void *field, const char *argument, char **reason)
{
	return sort_key__parse(argument, field) ? 0 : option_type__wrong_word(row->type, reason);
}

static const char *compare_sort_word(size_t index)
{
	static const char *const words[] = { "calls", "name", NULL };

	return words[index];
}

static int take_compare_sort(const struct option_row *row, void *field, const char *argument,
			     char **reason)
{
	enum sort_key key;

	if (!sort_key__parse(argument, &key) || (key != SORT_CALLS && key != SORT_NAME))
		return option_type__wrong_word(row->type, reason);
	*(enum sort_key *)field = key;
	return 0;
}

static int take_filter(const struct option_row *row, void *field, const char *argument,
		       char **reason)
{
	struct filter **filter = field;

	filter__free(*filter); /* the last one counts */
	*filter = filter__parse(argument, reason);
	return *filter ? 0 : -1;
}

static const char *colour_word(size_t index)
{
	static const char *const words[] = {
		[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL,
	};

	return words[index];
}

static const struct option_type option_sort = {
	.completes = "words", .take = take_sort, .word = sort_word,
};
static const struct option_type option_compare_sort = {
	.completes = "words", .take = take_compare_sort, .word = compare_sort_word,
};
static const struct option_type option_calls = { .completes = "calls", .take = take_filter };
static const struct option_type option_colour = {
	.completes = "words", .take = option_type__take_word, .word = colour_word,
};

enum { FOR_RUNS = FOR_RUN | FOR_EXPLAIN | FOR_REPORT };

#define DISPLAY(member) FIELD(struct report_options, member)

const struct option_row display_rows[] = {
	OPTION('S', "sort", "KEY", &option_sort, DISPLAY(sort),
	       "order of system calls: time, min-time, max-time, avg-time, calls, errors, name or "
	       "nothing; of an anatomy's faults: time, calls (number), name (place) or nothing "
	       "(occurrence)",
	       .commands = FOR_RUNS),
	OPTION(0, "summary-sort-by", "KEY", &option_sort, DISPLAY(sort), NULL, .commands = FOR_RUNS),
	OPTION('S', "sort", "KEY", &option_compare_sort, DISPLAY(sort),
	       "order of system calls: calls or name", .commands = FOR_COMPARE),
	OPTION('e', "trace", "SET", &option_calls, DISPLAY(filter),
	       "show only these system calls: names, %class, /regex, !SET, as strace",
	       .commands = FOR_RUNS | FOR_COMPARE),
	OPTION(0, "per-child", NULL, &option_flag, DISPLAY(per_child), "one row per process",
	       .commands = FOR_RUNS),
	OPTION(0, "tree", NULL, &option_flag, DISPLAY(tree), "who created whom", .commands = FOR_RUNS),
	OPTION(0, "all-groups", NULL, &option_flag, DISPLAY(all_groups),
	       "every group of children, not only those of most weight", .commands = FOR_RUNS),
	OPTION('o', "output", "FILE", &option_file, DISPLAY(path),
	       "write to FILE instead; - is stdout"),
	OPTION(0, "json", NULL, &option_flag, DISPLAY(json),
	       "the saved run: `forktax report FILE` prints it again", .commands = FOR_RUNS,
	       .one_of = "format"),
	OPTION(0, "json", NULL, &option_flag, DISPLAY(json),
	       "everything that was measured (schema " COMPARE_SCHEMA ")", .commands = FOR_COMPARE,
	       .one_of = "format"),
	OPTION(0, "json", NULL, &option_flag, DISPLAY(json),
	       "everything that was measured (schema " BINDNOW_SCHEMA ")", .commands = FOR_BINDNOW,
	       .one_of = "format"),
	OPTION(0, "json", NULL, &option_flag, DISPLAY(json),
	       "everything that was measured (schema " BENCH_SCHEMA ")", .commands = FOR_BENCH,
	       .one_of = "format"),
	OPTION(0, "csv", NULL, &option_flag, DISPLAY(csv), "tables as CSV", .commands = FOR_RUNS,
	       .one_of = "format"),
	OPTION(0, "csv", NULL, &option_flag, DISPLAY(csv), "one line per column and figure",
	       .commands = FOR_COMPARE, .one_of = "format"),
	OPTION(0, "csv", NULL, &option_flag, DISPLAY(csv), "one line per figure",
	       .commands = FOR_BINDNOW, .one_of = "format"),
	OPTION(0, "csv", NULL, &option_flag, DISPLAY(csv), "one line per cell and figure",
	       .commands = FOR_BENCH, .one_of = "format"),
	OPTION(0, "markdown", NULL, &option_flag, DISPLAY(markdown), "tables in Markdown",
	       .commands = FOR_BENCH, .one_of = "format"),
	OPTION(0, "markdown", NULL, &option_flag, DISPLAY(markdown), "tables in Markdown (of a bench)",
	       .commands = FOR_REPORT, .one_of = "format"),
	OPTION(0, "color", "WHEN", &option_colour, DISPLAY(colour), "auto, always or never"),
	OPTION(0, "colour", "WHEN", &option_colour, DISPLAY(colour), NULL),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet), "only the tables",
	       .commands = FOR_RUNS),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet), "only the tables, no progress",
	       .commands = FOR_COMPARE | FOR_BENCH),
	OPTION('q', "quiet", NULL, &option_flag, DISPLAY(quiet),
	       "only tables and verdict, no progress", .commands = FOR_BINDNOW),
	OPTION(0, "strict", NULL, &option_flag, DISPLAY(strict), "exit status 3 if a run is not exact",
	       .commands = FOR_RUNS | FOR_COMPARE | FOR_BINDNOW),
	OPTION(0, "counters", NULL, &option_flag, DISPLAY(counters), "explain every counter and exit",
	       .commands = FOR_RUNS),
	OPTION(0, "history", NULL, &option_flag, DISPLAY(history),
	       "figures of old beside, where there are any", .commands = FOR_BENCH),
	OPTION(0, "history", NULL, &option_flag, DISPLAY(history), "figures of old beside (of a bench)",
	       .commands = FOR_REPORT),
	{ 0 },
};

void report_options__free(struct report_options *options)
{
	filter__free(options->filter);
	options->filter = NULL;
}
