// SPDX-License-Identifier: GPL-2.0-or-later
/* Several runs of one command: which counts are the same in all of them, and which vary. */
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/compare/comparison_report.h"

enum { NAMED_MOST = 6 };

/* Is the row one of those that were counted and are shown: not of zeros, not of calls left out? */
static bool is_shown(const struct compare_row *row, const struct report_options *options)
{
	return row->cells[0].known && row->cells[0].max && compare__shows(options, row);
}

/* Each of these is counted by itself; others are sums or means of them. */
static bool is_count(const struct compare_row *row)
{
	return row->section == SECTION_SYSCALLS || row->section == SECTION_ERRORS || row->section == SECTION_FAULTS ||
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

static struct counts counts_of(const struct comparison *comparison, const struct report_options *options)
{
	struct counts counts = {
		.rows = checked_calloc(comparison->row_count, sizeof(*counts.rows)),
	};

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (!is_count(row) || !is_shown(row, options))
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

	return text__of("%s%s (%s)", row->header, row->section == SECTION_FAULTS ? " faults" : "", bounds);
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

char *compare_words__varied(const struct comparison *comparison, const struct report_options *options)
{
	const size_t runs = comparison->columns[0].run_count;
	struct counts counts;
	char *list, *text;

	if (comparison->column_count > 1 || runs < 2)
		return NULL;
	counts = counts_of(comparison, options);
	list = list_of(&counts);
	if (!counts.varied)
		text = text__of("All %zu counts are the same in all %zu traced runs.", counts.all, runs);
	else
		text = text__of("%zu of %zu counts are the same in all %zu traced runs; %s: %s.",
				counts.all - counts.varied, counts.all, runs,
				quantity__count(counts.varied, "varies", "vary").text, list);
	free(list);
	free(counts.rows);
	return text;
}
