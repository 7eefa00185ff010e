// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands out among the calls of a start. */
#include <stdlib.h>
#include <string.h>

#include "analysis/start/start_findings.h"
#include "analysis/start/start_groups.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/cells.h"
#include "report/start/start_report.h"

enum { REPEATS_MOST = 10 }; /* for people */

static struct cell repeat_us(const void *subject, const void *row, int index)
{
	return cell__us((double)((const struct start_repeat *)row)->ns);
}

static struct cell repeat_call(const void *subject, const void *row, int index)
{
	return cell__own(start_call__words(((const struct start_repeat *)row)->call));
}

static struct cell repeat_answer(const void *subject, const void *row, int index)
{
	return cell__own(start_words__result(((const struct start_repeat *)row)->call));
}

static const struct column repeat_columns[] = {
	{ "times", COUNT_OF(struct start_repeat, times) },
	{ "us", COLUMN_NUMBER, .cell = repeat_us },
	{ "call", COLUMN_TEXT, .cell = repeat_call },
	{ "answer each time", COLUMN_TEXT, .cell = repeat_answer, .key = "answer" },
};

/* Do they read alike? Their flags may differ (stat and lstat), which the words leave out. */
static bool reads_alike(const struct start_call *a, const struct start_call *b)
{
	autofree char *one = start_call__words(a), *other = start_call__words(b);

	return a->result == b->result && !strcmp(one, other);
}

/* Puts calls that read alike into one row, the one that comes first. */
static void merge_alike(struct start_findings *findings)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->repeat_count; i++) {
		const struct start_repeat repeat = findings->repeats[i];
		size_t same = 0;

		while (same < count && !reads_alike(findings->repeats[same].call, repeat.call))
			same++;
		if (same == count) {
			findings->repeats[count++] = repeat;
			continue;
		}
		findings->repeats[same].times += repeat.times;
		findings->repeats[same].ns += repeat.ns;
	}
	findings->repeat_count = count;
	if (count)
		qsort(findings->repeats, count, sizeof(*findings->repeats), start_repeats__by_times);
}

struct table *report__start_repeats(const struct run *run, const struct report_options *options)
{
	struct start_findings findings = start_findings__of(run->start);
	struct table *table = table__new("The same question asked several times");

	merge_alike(&findings);
	TABLE_COLUMNS(table, repeat_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < findings.repeat_count; i++)
		table__add_for(table, i < REPEATS_MOST ? VIEW_BOTH : VIEW_DATA, &findings.repeats[i]);
	start_findings__free(&findings);
	return table;
}

static void print_odd(const struct start_odd *odd, const char *what, const struct table_output *output)
{
	autofree char *text = NULL;

	if (!odd->calls)
		return;
	text = text__of("%s %s, %s.", quantity__count(odd->calls, "call", "calls").text, what,
			 quantity__time((double)odd->ns).text);
	putc('\n', output->stream);
	wrap__print(NULL, text, 0, 0, output);
}

void report__print_start_odd(const struct run *run, const struct report_options *options,
			     const struct table_output *output)
{
	struct start_findings findings = start_findings__of(run->start);

	print_odd(&findings.one_byte, "of read for a single byte, right after another", output);
	print_odd(&findings.seeks, "of lseek that change nothing: they ask for the position", output);
	start_findings__free(&findings);
}
