// SPDX-License-Identifier: GPL-2.0-or-later
/* Children by the line of the script that forked. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lines/line_sums.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/escape.h"
#include "format/wrap.h"
#include "model/words/names.h"
#include "report/cells.h"
#include "report/report_sections.h"
#include "report/saved_table.h"

enum { LINES_SHOWN = 10, LINES_BESIDE_FILES = 3, LINES_EXPLAINED = 2 };
enum { NUMBERS_WIDTH = 28, LEAST_TEXT = 24 }; /* columns of a table: of the numbers, and of the text of a line */

/* What a table shows. */
struct lines_shown {
	const struct run *run;
	size_t text_width; /* columns; 0: no limit */
	bool has_programs;
	bool has_directories; /* of files, also where their names tell them apart */
};

static const char *nth_file(const void *list, size_t index)
{
	return ((const struct script_file *)list)[index].name;
}

/* Of a known line; to be freed. A path would often be as wide as the screen. */
static char *place_of(const struct lines_shown *shown, const struct script_line *line)
{
	const struct script_lines *lines = shown->run->lines;
	autofree char *place = script_line__place(line);
	size_t directory = 0;

	if (!shown->has_directories && line->source == SCRIPT_FILE)
		directory = text__short_path(line->file, lines->files, lines->file_count, nth_file) - line->file;
	return text__of("%s", place + directory);
}

static struct cell line_place(const void *subject, const void *row, int index)
{
	const struct lines_shown *shown = subject;
	const struct script_line *line = ((const struct line_sum *)row)->line;
	autofree char *parent = NULL;

	if (line->source != SCRIPT_UNKNOWN)
		return cell__own(place_of(shown, line));
	parent = names__exe(shown->run, line->parent_exe, false);
	return cell__own(text__of("(line not known: %s)", parent));
}

static struct cell line_programs(const void *subject, const void *row, int index)
{
	const struct line_sum *sum = row;

	if (sum->program_count <= PROGRAMS_NAMED)
		return cell__text(sum->programs);
	return cell__own(text__of("%s, %zu more", sum->programs, sum->program_count - PROGRAMS_NAMED));
}

/* The beginning of a text that has no room; without control characters, which would take more columns. */
static char *shorten(const char *text, size_t room)
{
	size_t used = 0, columns, end = 0;

	for (size_t i = 0; text[i]; used += columns) {
		i += escape__character(text + i, &columns);
		if (used + columns > room)
			return text__of("%.*s...", (int)end, text);
		if (used + columns + 3 <= room)
			end = i;
	}
	return text__of("%s", text);
}

static struct cell line_text(const void *subject, const void *row, int index)
{
	const struct lines_shown *shown = subject;
	const struct script_line *line = ((const struct line_sum *)row)->line;
	autofree char *safe = NULL;

	if (!line->text || !shown->text_width)
		return cell__text(line->text);
	safe = escape__text(line->text, true);
	return cell__own(shorten(safe, shown->text_width));
}

#define LINE_COLUMNS \
	{ "forks", COUNT_OF(struct line_sum, children) }, \
	{ "no exec", COUNT_OF(struct line_sum, no_exec), .unless_zero = true, IF_ANY }, \
	{ "ms", NUMBER_OF(struct line_sum, life_ms), .decimals = 1 }, \
	{ "line", COLUMN_TEXT, .cell = line_place }, \
	{ "programs", COLUMN_TEXT, .cell = line_programs, IF_ANY, WHEN(struct lines_shown, has_programs) }, \
	{ "text", COLUMN_TEXT, .cell = line_text, IF_KNOWN },
static const struct column line_columns[] = { LINE_COLUMNS };

/* Which line forks most. If others that are not known may fork more: of those that are. */
static char *most_of(const struct line_sums *sums)
{
	const struct line_sum *most = line_sums__most(sums);
	const char *of_known = most && most->children < sums->unknown ? " of the lines that are known" : "";
	autofree char *place = most ? script_line__place(most->line) : NULL;

	if (!most)
		return text__of("%s", "");
	if (most->line->certainty == LINE_BELOW)
		return text__of("Most forks%s are %s: %" PRIu64 " of %s. ", of_known, place, most->children,
				quantity__count(sums->children, "fork", "forks").text);
	return text__of("%s forks most%s: %" PRIu64 " of %s. ", place, of_known, most->children,
			quantity__count(sums->children, "fork", "forks").text);
}

/* Why forks have no line. Those that other programs create are most often those of dash. */
enum no_line { BY_OTHERS, IN_TRAPS, FROM_ENVIRONMENT, FROM_EVAL, NOT_RECORDED, NO_LINES };
static const char *const why_no_line[NO_LINES] = {
	[IN_TRAPS] = "in traps",
	[FROM_ENVIRONMENT] = "in functions from the environment",
	[FROM_EVAL] = "in text that the script evaluates",
	[NOT_RECORDED] = "of lines that found no room",
};

static enum no_line why_of(const struct script_line *line)
{
	if (line->source == SCRIPT_UNKNOWN)
		return BY_OTHERS;
	return line->certainty == LINE_IN_TRAP		? IN_TRAPS :
	       line->certainty == LINE_OF_ENVIRONMENT ? FROM_ENVIRONMENT :
							  FROM_EVAL;
}

/* "102 by sh (dash), whose lines forktax cannot read, 2 in traps". */
static char *reasons_of(const struct run *run, const struct line_sums *sums)
{
	uint64_t forks[NO_LINES] = { [NOT_RECORDED] = run->lines->left_out };
	autofree char *others = NULL;
	size_t programs = 0;
	char *text = text__of("%s", "");

	for (size_t i = 0; i < sums->count; i++) {
		const struct script_line *line = sums->list[i].line;
		const enum no_line why = why_of(line);

		if (line_sum__is_known(&sums->list[i]))
			continue;
		forks[why] += sums->list[i].children;
		if (why == BY_OTHERS && !programs++)
			others = names__exe(run, line->parent_exe, false);
	}
	if (programs > 1)
		text__replace(&others, "%s and others", others);
	if (programs)
		text__replace(&text, "%" PRIu64 " by %s, whose lines forktax cannot read", forks[BY_OTHERS], others);
	for (size_t i = BY_OTHERS + 1; i < NO_LINES; i++)
		if (forks[i])
			text__replace(&text, "%s%s%" PRIu64 " %s", text, *text ? ", " : "", forks[i], why_no_line[i]);
	return text;
}

/* Which line forks most, in one sentence, unless most forks have none; sorted sums. */
static void print_answer(const struct run *run, const struct line_sums *sums, const struct table_output *output)
{
	const uint64_t unknown = sums->unknown + run->lines->left_out, known = sums->children - unknown;
	autofree char *reasons = reasons_of(run, sums), *most = most_of(sums), *text = NULL;

	if (unknown && known < unknown)
		text = text__of("%" PRIu64 " of %s %s a known line; the others are not known: %s. ", known,
				quantity__count(sums->children, "fork", "forks").text,
				number__plural((double)known, "has", "have"), reasons);
	else
		text = text__of("%s", most);
	text__replace(&text, "%s%" PRIu64 " of %s never executed a program.", text, sums->no_exec,
		      quantity__count(sums->children, "child", "children").text);
	if (unknown && known >= unknown)
		text__replace(&text, "%s The line of %s is not known: %s.", text,
			      quantity__count(unknown, "fork", "forks").text, reasons);
	wrap__print(NULL, text, 0, 0, output);
}

/* Why the texts of a file's lines are missing. */
static const char *const why_unread[SCRIPT_TEXTS] = {
	[SCRIPT_TEXT_UNSEEN] = "it was not seen which file this is",
	[SCRIPT_TEXT_SEVERAL] = "several files were opened by this name",
	[SCRIPT_TEXT_GONE] = "there is no file of this name now, or it cannot be read",
	[SCRIPT_TEXT_CHANGED] = "the file has changed since the shell opened it",
	[SCRIPT_TEXT_TOO_LONG] = "forktax reads 16 MiB of a script, and 64 MiB of all of them",
};

static void print_unread(const struct run *run, const struct table_output *output)
{
	for (size_t i = 0; i < run->lines->file_count; i++) {
		const struct script_file *file = &run->lines->files[i];
		autofree char *text = NULL;

		if (!why_unread[file->text])
			continue;
		text = text__of("The text of the %slines of %s is not known: %s.",
				file->text == SCRIPT_TEXT_TOO_LONG ? "last " : "", file->name, why_unread[file->text]);
		wrap__print(NULL, text, 0, 0, output);
	}
}

/* Columns that are left for the text of lines beside their places. */
static size_t text_width(const struct lines_shown *shown, const struct line_sums *sums, size_t rows,
			 const struct table_output *output)
{
	const size_t width = wrap__width(output);
	size_t widest = 0;

	for (size_t i = 0; i < sums->count && i < rows; i++) {
		autofree char *place = NULL, *safe = NULL;

		if (sums->list[i].line->source == SCRIPT_UNKNOWN)
			continue;
		place = place_of(shown, sums->list[i].line);
		safe = escape__text(place, output->utf8);
		widest = escape__width(safe) > widest ? escape__width(safe) : widest;
	}
	return NUMBERS_WIDTH + widest + LEAST_TEXT < width ? width - NUMBERS_WIDTH - widest : LEAST_TEXT;
}

static void add_rows(struct table *table, const struct line_sums *sums, size_t most)
{
	table__rule(table);
	for (size_t i = 0; i < sums->count; i++)
		table__add(table, &sums->list[i]);
	table__limit(table, most, "lines");
}

void report__print_script_lines(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	struct line_sums sums = line_sums__of(run);
	const size_t rows = room__of(options, run->files ? LINES_BESIDE_FILES : LINES_SHOWN, SIZE_MAX).rows;
	struct lines_shown shown = { .run = run, .has_programs = true, .has_directories = !report__is_brief(options) };
	struct table *table = table__new("Forks by line of the script: children, and their time from birth to end");

	if (report__is_brief(options))
		shown.text_width = LEAST_TEXT;
	print_answer(run, &sums, output);
	TABLE_COLUMNS(table, line_columns, &shown);
	add_rows(table, &sums, rows);
	table__total(table, "total");
	table__show(table, output);
	print_unread(run, output);
	line_sums__free(&sums);
}

/* A line with what the run waits for in it. */
struct explained_line {
	struct line_sum sum; /* first: it is a row of the columns above */
	double path_ns; /* on the critical path, with all that is below it; 0: none, or not known */
};

static struct cell line_share(const void *subject, const void *row, int index)
{
	const struct critical_path *path = ((const struct lines_shown *)subject)->run->critical_path;
	const struct explained_line *line = row;

	return line->path_ns ? cell__percent(line->path_ns, (double)path->wall_ns) : cell__absent();
}

static const struct column explained_columns[] = { { "% of run", COLUMN_NUMBER, .cell = line_share, IF_KNOWN },
						   LINE_COLUMNS };

static double path_of(const struct critical_path *path, const struct script_line *line)
{
	for (size_t i = 0; path && line->line && i < path->line_count; i++)
		if (path_line__is(&path->lines[i], line))
			return (double)path->lines[i].total_ns;
	return 0;
}

/* What takes most of the run first; without that, what forks most. */
static int by_share(const void *left, const void *right)
{
	const struct explained_line *a = left, *b = right;

	if (a->path_ns != b->path_ns)
		return (a->path_ns < b->path_ns) - (a->path_ns > b->path_ns);
	return (a->sum.children < b->sum.children) - (a->sum.children > b->sum.children);
}

static struct explained_line *explained_lines(const struct run *run, const struct line_sums *sums)
{
	struct explained_line *lines = checked_calloc(sums->count, sizeof(*lines));

	for (size_t i = 0; i < sums->count; i++)
		lines[i] = (struct explained_line){ sums->list[i], path_of(run->critical_path, sums->list[i].line) };
	if (sums->count)
		qsort(lines, sums->count, sizeof(*lines), by_share);
	return lines;
}

/* The same on the first screen of an explanation: which lines to look at. */
void report__explain_lines(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	struct line_sums sums = line_sums__of(run);
	const size_t rows = room__of(options, LINES_EXPLAINED, SIZE_MAX).rows;
	const bool brief = report__is_brief(options);
	struct lines_shown shown = { .run = run, .has_programs = !brief, .has_directories = !brief };
	autofree struct explained_line *lines = explained_lines(run, &sums);
	struct table *table = table__new("Forks by line of the script; % of run: with all that is below");

	if (brief)
		shown.text_width = text_width(&shown, &sums, rows, output);
	TABLE_COLUMNS(table, explained_columns, &shown);
	table__rule(table);
	for (size_t i = 0; i < sums.count; i++) {
		if (i >= table__most(sums.count, rows))
			lines[i].path_ns = 0; /* one may be below another: these have no sum */
		table__add(table, &lines[i]);
	}
	table__limit(table, rows, "lines");
	table__show(table, output);
	line_sums__free(&sums);
}

struct table *report__script_lines(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Forks by line of the script", run, &script_lines_shape, run->lines, "rows");
}
