// SPDX-License-Identifier: GPL-2.0-or-later
/* Every call of a start, with what it is for. */
#include <math.h>
#include <stdlib.h>

#include "analysis/start/start_avoided.h"
#include "base/autofree.h"
#include "base/number.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/cells.h"
#include "report/saved_table.h"
#include "report/start/start_report.h"

/* A page has a table of them. */
bool section__unless_start_calls(const struct run *run, const struct report_options *options)
{
	return !options->show[SHOW_START_CALLS] && !options->formats[TABLE_HTML];
}

/*
 * A line for each, cut where the terminal ends, below the name of its phase: how long it took, which advice avoids it,
 * the call as strace has it, and what it is for.
 */
static void print_call(const struct start *start, const struct start_call *call, const struct table_output *output)
{
	const char *rule = start_call__avoided_by(call, start);
	autofree char *words = start_call__words(call), *result = start_words__result(call);
	autofree char *why = start_call__why(call);
	autofree char *us = call->ns == ABSENT ? text__of("-") : text__of("%s", number__fixed(call->ns / 1e3, 1).text);
	autofree char *line = text__of("%8s %-4s %s = %s (%s)", us, rule ? rule : "", words, result, why);

	wrap__cut_line(line, output);
}

void report__print_start_call_list(const struct run *run, const struct report_options *options,
				   const struct table_output *output)
{
	const struct start *start = run->start;
	enum start_phase phase = START_PHASE_COUNT;

	if (output->page) /* it has a table of them */
		return;
	putc('\n', output->stream);
	wrap__title("Calls of the start (us, as traced; the advice that avoids them)", output);
	for (size_t i = 0; i < start->call_count; i++) {
		if (start->calls[i].phase != phase)
			fprintf(output->stream, "%s\n", start_phase_counters[start->calls[i].phase].header);
		phase = start->calls[i].phase;
		print_call(start, &start->calls[i], output);
	}
}

static struct cell begin_cell(const void *subject, const void *row, int index)
{
	return cell__us((double)((const struct start_call *)row)->begin_ns);
}

static struct cell took_cell(const void *subject, const void *row, int index)
{
	uint64_t ns = ((const struct start_call *)row)->ns;

	return ns == ABSENT ? cell__blank() : cell__us((double)ns);
}

static struct cell call_cell(const void *subject, const void *row, int index)
{
	return cell__own(start_call__words(row));
}

static struct cell result_cell(const void *subject, const void *row, int index)
{
	return cell__own(start_words__result(row));
}

static struct cell why_cell(const void *subject, const void *row, int index)
{
	return cell__own(start_call__why(row));
}

static struct cell advice_cell(const void *subject, const void *row, int index)
{
	return cell__text(start_call__avoided_by(row, subject));
}

static const struct column call_columns[] = {
	{ "at us", COLUMN_NUMBER, .cell = begin_cell },
	{ "us", COLUMN_NUMBER, .cell = took_cell },
	{ "phase", WORD_BY(struct start_call, phase, start_phase_counters, header) },
	{ "call", COLUMN_TEXT, .cell = call_cell },
	{ "result", COLUMN_TEXT, .cell = result_cell },
	{ "for", COLUMN_TEXT, .cell = why_cell },
	{ "advice", COLUMN_TEXT, .cell = advice_cell, IF_ANY },
};

struct table *report__start_call_rows(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Calls of the start", run, &start_shape, run->start, "calls");
}

struct table *report__start_calls(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Calls of the start");

	TABLE_COLUMNS(table, call_columns, run->start);
	table__rule(table);
	for (size_t i = 0; i < run->start->call_count; i++)
		table__add(table, &run->start->calls[i]);
	return table;
}

/* People need only those that took more than one try. */
static const struct column search_columns[] = {
	{ "tries", COUNT_OF(struct start_search, tries) },
	{ "failed", COUNT_OF(struct start_search, failed), .unless_zero = true },
	{ "searched", TEXT_OF(struct start_search, name) },
	{ "found", TEXT_OF(struct start_search, found) },
};

struct table *report__start_searches(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("Libraries that ld.so searched for");

	TABLE_COLUMNS(table, search_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < run->start->search_count; i++) {
		const struct start_search *search = &run->start->searches[i];

		table__add_for(table, search->failed ? VIEW_BOTH : VIEW_DATA, search);
	}
	return table;
}
