// SPDX-License-Identifier: GPL-2.0-or-later
/* How the times of calls are distributed, as bpftrace's hist(): calls by powers of two. */

#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "format/column.h"
#include "format/html/html_page.h"
#include "format/wrap.h"
#include "report/cells.h"
#include "report/picture/pictures.h"
#include "report/run/histogram_lines.h"
#include "report/run/run_report.h"
#include "report/words.h"

enum { CALLS_USUAL = 1, BAR_MOST = 40, BAR_LEAST = 10, FIGURES_WIDTH = 34 };

/* Those that were asked for, most time first; to be freed. */
static const struct syscall_row **rows_of(const struct run *run, const struct report_options *options,
					  size_t *count)
{
	const struct syscall_row **rows = checked_calloc(run->table.count, sizeof(*rows));

	*count = 0;
	for (size_t i = 0; i < run->table.count; i++)
		if (run->table.rows[i].bucket_count &&
		    filter__passes(options->histogram, &run->table.rows[i]))
			rows[(*count)++] = &run->table.rows[i];
	sort__rows(rows, *count, SORT_TIME, run->timed);
	return rows;
}

struct histogram_line {
	const struct syscall_row *row;
	uint64_t low_ns, high_ns, calls;
};

static struct cell call_cell(const void *subject, const void *row, int index)
{
	return cell__call(((const struct histogram_line *)row)->row);
}

static const struct column data_columns[] = {
	{ "syscall", COLUMN_TEXT, .cell = call_cell },
	{ "low ns", COUNT_OF(struct histogram_line, low_ns) },
	{ "high ns", COUNT_OF(struct histogram_line, high_ns) },
	{ "calls", COUNT_OF(struct histogram_line, calls) },
};

/* All that are asked for; without a choice, all there are. */
struct table *report__histograms(const struct run *run, const struct report_options *options)
{
	size_t count;
	autofree const struct syscall_row **rows = rows_of(run, options, &count);
	struct table *table = table__new("Histogram of times");

	TABLE_COLUMNS(table, data_columns, run);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < rows[i]->bucket_count; k++) {
			const struct call_bucket *bucket = &rows[i]->buckets[k];
			const struct histogram_line line = { rows[i], bucket->low_ns, bucket->high_ns,
							     bucket->calls };

			table__add(table, &line);
		}
	return table;
}

static char *title_of(const struct syscall_row *row)
{
	const uint64_t calls = syscall_row__timed_calls(row);
	struct cell name = cell__call(row);
	autofree char *call = cell__reading_alone(&name);
	const double mean = calls ? (double)syscall_row__sum(row->time_ns) / (double)calls : 0;
	char *title = text__of("Times of %s: %s, %s on average", call,
			       quantity__count(calls, "call", "calls").text, quantity__time(mean).text);

	cell__free(&name);
	return title;
}

static unsigned int bar_columns(const struct table_output *output)
{
	const unsigned int width = wrap__width(output);

	if (width >= FIGURES_WIDTH + BAR_MOST)
		return BAR_MOST;
	return width > FIGURES_WIDTH + BAR_LEAST ? width - FIGURES_WIDTH : BAR_LEAST;
}

static struct table *table_of(const struct syscall_row *row, const struct table_output *output)
{
	struct histogram_lines lines = histogram_lines__of(row);
	struct table *table = table__titled(output->page ? NULL : title_of(row), NULL);

	table__keep_order(table);
	table__column(table, "time", COLUMN_TEXT);
	table__column(table, "calls", COLUMN_COUNT);
	if (!output->page)
		table__column(table, "", COLUMN_TEXT);
	for (size_t i = 0; i < lines.count; i++) {
		const struct call_bucket *bucket = &lines.buckets[i];

		table__row(table);
		table__put(table, cell__own(histogram_lines__range(bucket)));
		table__count(table, bucket->calls);
		if (!output->page)
			table__put(table, cell__own(bar__text((double)bucket->calls / lines.most,
							      bar_columns(output), output->utf8)));
	}
	histogram_lines__free(&lines);
	return table;
}

/* What the kernel or strace never showed the end of has no time. */
static void print_untimed(const struct syscall_row *row, const struct table_output *output)
{
	const uint64_t untimed = syscall_row__sum(row->calls) - syscall_row__sum(row->unfinished) -
				 syscall_row__timed_calls(row);
	autofree char *text = NULL;

	if (!untimed)
		return;
	text = text__of("%s no time: no end of %s was seen.",
			quantity__count(untimed, "more call has", "more calls have").text,
			number__plural((double)untimed, "it", "them"));
	wrap__print(NULL, text, 0, 0, output);
}

static void print_histogram(const struct syscall_row *row, const struct table_output *output)
{
	if (output->page) {
		autofree char *title = title_of(row);

		html_page__heading(output->page, title);
		picture__histogram(row, output);
	}
	table__show(table_of(row, output), output);
	print_untimed(row, output);
}

void report__print_histograms(const struct run *run, const struct report_options *options,
			      const struct table_output *output)
{
	size_t count, most;
	autofree const struct syscall_row **rows = rows_of(run, options, &count);

	most = options->histogram ? count : options->top ? options->top : CALLS_USUAL;
	for (size_t i = 0; i < count && i < most; i++)
		print_histogram(rows[i], output);
}
