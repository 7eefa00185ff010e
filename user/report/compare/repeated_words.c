// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/compare/repeated_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

enum { NAMED_MOST = 6 };

bool repeated_words__has(const struct compare_row *row, const struct report_options *options)
{
	return row->cells[0].known && row->cells[0].max && compare__shows(options, row);
}

/* Each of these is counted by itself; others are sums or means of them. */
static bool is_count(const struct compare_row *row)
{
	return row->section == SECTION_SYSCALLS || row->section == SECTION_ERRORS ||
	       row->section == SECTION_FAULTS ||
	       (row->section == SECTION_CHILDREN && !strcmp(row->key, "children"));
}

static double width(const struct compare_row *row)
{
	return row->cells[0].max - row->cells[0].min;
}

static int by_width(const void *left, const void *right)
{
	const struct compare_row *const *a = left, *const *b = right;

	if (width(*a) != width(*b))
		return width(*a) < width(*b) ? 1 : -1;
	return *a < *b ? -1 : *a > *b; /* rows of one array */
}

struct counts {
	size_t all, varied;
	const struct compare_row **rows; /* those that varied, most first */
};

static struct counts counts_of(const struct comparison *comparison,
			       const struct report_options *options)
{
	struct counts counts = {
		.rows = checked_calloc(comparison->row_count, sizeof(*counts.rows)),
	};

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (!is_count(row) || !repeated_words__has(row, options))
			continue;
		counts.all++;
		if (width(row) > 0)
			counts.rows[counts.varied++] = row;
	}
	qsort(counts.rows, counts.varied, sizeof(*counts.rows), by_width);
	return counts;
}

/* "zero fill faults (61..65)" */
static char *varied_words(const struct compare_row *row)
{
	autofree char *bounds = quantity__bounds(row->cells[0].min, row->cells[0].max, unit__none);
	char *text = text__of("%s%s (%s)", row->header, row->section == SECTION_FAULTS ? " faults" : "",
			      bounds);

	return text;
}

static char *list_of(const struct counts *counts)
{
	const size_t named = counts->varied > NAMED_MOST + 1 ? NAMED_MOST : counts->varied;
	char *list = checked_strdup("");

	for (size_t i = 0; i < named; i++) {
		char *one = varied_words(counts->rows[i]);

		text__replace(&list, "%s%s%s", list, i ? ", " : "", one);
		free(one);
	}
	if (named < counts->varied)
		text__replace(&list, "%s and %zu more", list, counts->varied - named);
	return list;
}

char *repeated_words__answer(const struct comparison *comparison,
			     const struct report_options *options)
{
	const struct compare_column *column = &comparison->columns[0];
	struct counts counts = counts_of(comparison, options);
	char *list = list_of(&counts), *text;

	if (column->run_count == 1)
		text = text__of("%s: one run, which does not tell which of its %zu counts vary.", column->label,
				counts.all);
	else if (!counts.varied)
		text = text__of("%s: all %zu counts are the same in all %zu runs.", column->label,
				counts.all, column->run_count);
	else
		text = text__of("%s: %zu of %zu counts are the same in all %zu runs; %s: %s.",
				column->label, counts.all - counts.varied, counts.all, column->run_count,
				quantity__count(counts.varied, "varies", "vary").text, list);
	free(list);
	free(counts.rows);
	return text;
}

/* How many of the runs ended as this one did; 0: an earlier one did, too. */
static size_t ended_so(const struct compare_column *column, size_t index)
{
	const struct run *run = column->runs[index];
	size_t count = 0;

	for (size_t i = 0; i < column->run_count; i++) {
		if (column->runs[i]->status != run->status || column->runs[i]->signal != run->signal)
			continue;
		if (i < index)
			return 0;
		count++;
	}
	return count;
}

/* "exit 0", or "exit 0 in 4, exit 1 in 1 of them" */
static char *ends_of(const struct compare_column *column)
{
	char *text = NULL;

	for (size_t i = 0; i < column->run_count; i++) {
		const struct run *run = column->runs[i];
		const size_t count = ended_so(column, i);
		char *end = count ? words__exit(run->status, run->signal, true) : NULL;

		if (count == column->run_count)
			return end;
		if (count)
			text__replace(&text, "%s%s%s in %zu", text ? text : "", text ? ", " : "", end, count);
		free(end);
	}
	return text;
}

char *repeated_words__runs(const struct compare_column *column)
{
	autofree char *command = words__command(column->command);
	autofree char *ends = ends_of(column);
	char *text = text__of("%s of %s: %s.", quantity__count(column->run_count, "run", "runs").text,
			      command, ends);

	return text;
}
