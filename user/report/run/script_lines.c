// SPDX-License-Identifier: GPL-2.0-or-later
/* Children by the line of the script that forked. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "model/words/names.h"
#include "report/cells.h"
#include "report/run/run_report.h"
#include "report/saved_table.h"

enum { LINES_SHOWN = 10, PROGRAMS_NAMED = 3 };

/* What people read: one line, whatever its children executed. */
struct line_sum {
	const struct script_line *line; /* one of them */
	uint64_t children, no_exec;
	double life_ms;
	char *programs; /* the first that its children executed, most often first */
	size_t program_count;
};

/* A line: numbers of its texts (0: none); the parent's executable where the line is not known. */
struct line_key {
	uint32_t source, file, function, place;
};

struct line_sums {
	struct line_sum *list;
	size_t count;
	struct texts texts;
	struct hash numbers; /* of lines: places in the list */
};

static uint32_t number_of(struct line_sums *sums, const char *text)
{
	return text ? texts__number(&sums->texts, text) + 1 : 0;
}

static struct line_sum *sum_of(struct line_sums *sums, const struct script_line *line)
{
	struct line_key key = {
		.source = line->source,
		.file = number_of(sums, line->file),
		.function = number_of(sums, line->function),
		.place = line->source == SCRIPT_UNKNOWN ? line->parent_exe : line->line,
	};
	uint64_t number = hash__number(&sums->numbers, &key, sizeof(key));

	if (number == sums->count) {
		sums->list = checked_grow(sums->list, sums->count, sizeof(*sums->list));
		sums->list[sums->count++] = (struct line_sum){ .line = line };
	}
	return &sums->list[number];
}

static void name_program(struct line_sum *sum, const struct run *run, uint32_t exe)
{
	char *name;

	if (++sum->program_count > PROGRAMS_NAMED)
		return;
	name = names__exe(run, exe, false);
	text__replace(&sum->programs, "%s%s%s", sum->programs ? sum->programs : "", sum->programs ? ", " : "", name);
	free(name);
}

static int by_children(const void *left, const void *right)
{
	const struct line_sum *a = left, *b = right;

	if (a->children != b->children)
		return (a->children < b->children) - (a->children > b->children);
	return (a->line > b->line) - (a->line < b->line);
}

static struct line_sums sum_up(const struct run *run)
{
	struct line_sums sums = {};

	for (size_t i = 0; i < run->lines->count; i++) {
		const struct script_line *line = &run->lines->rows[i];
		struct line_sum *sum = sum_of(&sums, line);

		sum->children += line->children;
		sum->life_ms += line->life_ns / 1e6;
		if (line->exec_target == NO_EXE)
			sum->no_exec += line->children;
		else
			name_program(sum, run, line->exec_target);
	}
	if (sums.count)
		qsort(sums.list, sums.count, sizeof(*sums.list), by_children);
	return sums;
}

static void free_sums(struct line_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->list[i].programs);
	free(sums->list);
	texts__release(&sums->texts);
	hash__release(&sums->numbers);
}

/* "file:12 in f()", "file, in a trap", "(no file):3". */
static char *place_of(const struct script_line *line)
{
	const char *file = line->source == SCRIPT_FILE ? line->file : "(no file)";
	char *place = line->line ? text__of("%s:%" PRIu32, file, line->line) : text__of("%s, in a trap", file);

	if (line->function)
		text__replace(&place, "%s in %s()", place, line->function);
	return place;
}

static struct cell line_place(const void *subject, const void *row, int index)
{
	const struct script_line *line = ((const struct line_sum *)row)->line;
	char *parent, *place;

	if (line->source != SCRIPT_UNKNOWN)
		return cell__own(place_of(line));
	parent = names__exe(subject, line->parent_exe, false);
	place = text__of("(line not known: %s)", parent);
	free(parent);
	return cell__own(place);
}

static struct cell line_programs(const void *subject, const void *row, int index)
{
	const struct line_sum *sum = row;

	if (sum->program_count <= PROGRAMS_NAMED)
		return cell__text(sum->programs);
	return cell__own(text__of("%s, %zu more", sum->programs, sum->program_count - PROGRAMS_NAMED));
}

static const struct column line_columns[] = {
	{ "forks", COUNT_OF(struct line_sum, children) },
	{ "no exec", COUNT_OF(struct line_sum, no_exec), .unless_zero = true, IF_ANY },
	{ "ms", NUMBER_OF(struct line_sum, life_ms), .decimals = 1 },
	{ "line", COLUMN_TEXT, .cell = line_place },
	{ "programs", COLUMN_TEXT, .cell = line_programs, IF_ANY },
};

/* Which line forks most, in one sentence; sorted sums. */
static void print_answer(const struct run *run, const struct line_sums *sums, const struct table_output *output)
{
	uint64_t all = run->lines->left_out, unknown = 0, no_exec = 0;
	const struct line_sum *most = NULL;
	autofree char *text = NULL;

	for (size_t i = 0; i < sums->count; i++) {
		const struct line_sum *sum = &sums->list[i];
		bool is_known = sum->line->source != SCRIPT_UNKNOWN;

		all += sum->children;
		no_exec += sum->no_exec;
		unknown += is_known ? 0 : sum->children;
		if (is_known && !most)
			most = sum;
	}
	if (most) {
		autofree char *place = place_of(most->line);

		text = text__of("%s forks most: %" PRIu64 " of %s. ", place, most->children,
				quantity__count(all, "fork", "forks").text);
	}
	text__replace(&text, "%s%" PRIu64 " of %s never executed a program.", text ? text : "", no_exec,
		      quantity__count(all, "child", "children").text);
	if (unknown)
		text__replace(&text, "%s The line of %s is not known.", text,
			      quantity__count(unknown, "fork", "forks").text);
	if (run->lines->left_out)
		text__replace(&text, "%s The lines of %s were not recorded: there are too many different ones.", text,
			      quantity__count(run->lines->left_out, "fork", "forks").text);
	wrap__print(NULL, text, 0, 0, output);
}

void report__print_script_lines(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	struct line_sums sums = sum_up(run);
	struct table *table = table__new("Forks by line of the script: children, and their time from birth to end");

	print_answer(run, &sums, output);
	TABLE_COLUMNS(table, line_columns, run);
	table__rule(table);
	for (size_t i = 0; i < sums.count; i++)
		table__add(table, &sums.list[i]);
	table__limit(table, room__of(options, LINES_SHOWN, SIZE_MAX).rows, "lines");
	table__total(table, "total");
	table__show(table, output);
	free_sums(&sums);
}

struct table *report__script_lines(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Forks by line of the script", run, &script_lines_shape, run->lines, "rows");
}
