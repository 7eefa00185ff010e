// SPDX-License-Identifier: GPL-2.0-or-later
/* A start beside that of another executable with the same arguments. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/start/start_groups.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/shown.h"
#include "report/start/start_report.h"
#include "report/words.h"

enum { INDENT = 2, HANG = 18, ABOUT_MOST = 6, ROWS = 8 };

bool section__if_start_against(const struct run *run, const struct report_options *options)
{
	return run->start && run->start->against;
}

bool section__if_start_against_calls(const struct run *run, const struct report_options *options)
{
	return section__if_start_against(run, options) && options->start_calls;
}

bool section__if_start_against_brief(const struct run *run, const struct report_options *options)
{
	return section__if_start_against(run, options) && !options->start_calls;
}

/* "1.23 ms and 45 calls"; without a known end only the calls. To be freed. */
static char *words_of_side(uint64_t end, uint64_t calls)
{
	return text__of("%s%s%s", end == ABSENT ? "" : quantity__time((double)end).text,
			end == ABSENT ? "" : " and ", quantity__count(calls, "call", "calls").text);
}

static void add_untraced(char **text, const struct start_against *against)
{
	autofree char *saved = NULL;

	if (!against->saved_ns.known)
		return;
	saved = words__estimate(&against->saved_ns, unit__us);
	text__replace(text, "%s As measured without tracing, it saves %s us%s.", *text, saved,
		      against->saved_ns.bounded ? " (95 % interval)" : "");
}

/* What makes the comparison less than it looks. */
static void add_limits(char **text, const struct start *start)
{
	const struct start_against *against = start->against;
	const uint64_t unlisted = start->left_out + start->beyond + against->left_out + against->beyond;

	if (!against->ends_alike)
		text__replace(text, "%s It ended in another way there: it has not done the same.",
			      *text);
	if (unlisted)
		text__replace(text, "%s %" PRIu64 " calls that are counted but not listed are not "
				    "compared by name.",
			      *text, unlisted);
	if (start->missed || against->missed)
		text__replace(text, "%s %" PRIu64 " calls were lost here and %" PRIu64 " there: they "
				    "came faster than they were read.",
			      *text, start->missed, against->missed);
}

struct phases_line {
	struct cell us_less, us[2];
	uint64_t calls[2], faults[2], dirtied[2];
	const char *phase;
};

static const struct column phases_columns[] = {
	{ "us saved", COLUMN_NUMBER, CELL_OF(struct phases_line, us_less) },
	{ "us", COLUMN_NUMBER, CELL_OF(struct phases_line, us[0]), .key = "us here" },
	{ "there", COLUMN_NUMBER, CELL_OF(struct phases_line, us[1]), .key = "us there" },
	{ "calls", COUNT_OF(struct phases_line, calls[0]), .unless_zero = true, .key = "calls here" },
	{ "there", COUNT_OF(struct phases_line, calls[1]), .unless_zero = true, .key = "calls there" },
	{ "faults", COUNT_OF(struct phases_line, faults[0]), .unless_zero = true,
	  .key = "faults here" },
	{ "there", COUNT_OF(struct phases_line, faults[1]), .unless_zero = true,
	  .key = "faults there" },
	{ "dirtied", COUNT_OF(struct phases_line, dirtied[0]), .unless_zero = true,
	  .key = "dirtied here", .spare = 1 },
	{ "there", COUNT_OF(struct phases_line, dirtied[1]), .unless_zero = true,
	  .key = "dirtied there", .spare = 2 },
	{ "phase", TEXT_OF(struct phases_line, phase) },
};

/* A phase that only one has takes the other no time; with neither there is no difference. */
static struct cell us_less(const uint64_t ns[2])
{
	if (ns[0] == ABSENT && ns[1] == ABSENT)
		return cell__absent();
	return cell__us((ns[0] == ABSENT ? 0 : (double)ns[0]) - (ns[1] == ABSENT ? 0 : (double)ns[1]));
}

static void add_times(struct phases_line *line, const uint64_t ns[2])
{
	line->us_less = us_less(ns);
	for (int side = 0; side < 2; side++)
		line->us[side] = ns[side] == ABSENT ? cell__absent() : cell__us((double)ns[side]);
}

static void add_phase(struct table *table, const struct start_sum *const sides[2], const char *title,
		      struct phases_line *all)
{
	struct phases_line line = { .phase = title };
	bool shown = false;

	for (int side = 0; side < 2; side++) {
		line.calls[side] = sides[side]->calls;
		line.faults[side] = start_sum__faults(sides[side]);
		line.dirtied[side] = start_sum__dirtied(sides[side]);
		all->calls[side] += line.calls[side];
		all->faults[side] += line.faults[side];
		all->dirtied[side] += line.dirtied[side];
		shown |= sides[side]->ns != ABSENT || line.calls[side] || line.faults[side];
	}
	if (!shown)
		return;
	add_times(&line, (const uint64_t[]){ sides[0]->ns, sides[1]->ns });
	table__add(table, &line);
}

static void add_unplaced(struct table *table, const struct start *start, struct phases_line *all)
{
	struct phases_line line = {
		.calls = { start->beyond, start->against->beyond },
		.faults = { start->unplaced, start->against->unplaced },
		.phase = "in no phase",
	};
	bool shown = false;

	for (int side = 0; side < 2; side++) {
		all->calls[side] += line.calls[side];
		all->faults[side] += line.faults[side];
		shown |= line.calls[side] || line.faults[side];
	}
	add_times(&line, (const uint64_t[]){ ABSENT, ABSENT });
	if (shown)
		table__add(table, &line);
}

static struct table *phases_against(const struct run *run, size_t most)
{
	const struct start *start = run->start;
	const uint64_t ends[2] = { start->marks.end, start->against->end };
	struct table *table = table__new("Phases here and there");
	struct phases_line all = { .phase = "total" };

	TABLE_COLUMNS(table, phases_columns, NULL);
	table__rule(table);
	for (int phase = 0; phase < START_PHASE_COUNT; phase++) {
		const struct start_sum *const sides[2] = { &start->phases[phase],
							   &start->against->phases[phase] };

		add_phase(table, sides, start_phase_counters[phase].header, &all);
	}
	add_unplaced(table, start, &all);
	table__limit_by(table, 0, most, "phases");
	add_times(&all, ends);
	if (ends[0] == ABSENT || ends[1] == ABSENT)
		all.us_less = cell__absent();
	table__rule(table);
	table__add(table, &all);
	return table;
}

static void print_answer(const struct run *run, const struct table_output *output)
{
	const struct start *start = run->start;
	const struct start_against *against = start->against;
	autofree char *here = words_of_side(start->marks.end, start__calls(start));
	autofree char *there = words_of_side(against->end, start_against__calls(against));
	autofree char *title = text__of("Against %s", against->path);
	autofree char *text = text__of("The start as traced: %s here, %s there.", here, there);

	add_untraced(&text, against);
	add_limits(&text, start);
	putc('\n', output->stream);
	wrap__title(title, output);
	wrap__print(NULL, text, 0, 0, output);
}

void report__print_start_against(const struct run *run, const struct report_options *options,
				 const struct table_output *output)
{
	print_answer(run, output);
	table__show(phases_against(run, room__of(options, ROWS, SIZE_MAX).rows), output);
}

struct table *report__start_against_phases(const struct run *run, const struct report_options *options)
{
	return phases_against(run, SIZE_MAX);
}

static struct cell less_cell(const void *subject, const void *row, int index)
{
	const struct start_against_call *call = row;

	return cell__number((double)call->here - (double)call->there, 0);
}

static const struct column names_columns[] = {
	{ "calls saved", COLUMN_NUMBER, .cell = less_cell },
	{ "here", COUNT_OF(struct start_against_call, here) },
	{ "there", COUNT_OF(struct start_against_call, there) },
	{ "call", TEXT_OF(struct start_against_call, name) },
};

struct table *report__start_against_calls(const struct run *run, const struct report_options *options)
{
	const struct start_against *against = run->start->against;
	struct table *table = table__new("Calls here and there, by name");

	TABLE_COLUMNS(table, names_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < against->call_count; i++)
		table__add(table, &against->calls[i]);
	return table;
}

/* What calls are about: the path, which says more than words that may shorten it. To be freed. */
static char *about_row(const struct start_against_row *row)
{
	const struct start_call call = { .reason = row->reason,
					 .by_shape = row->by_shape,
					 .subject = row->subject };

	return row->path ? text__of("%s%s", row->path, row->path_cut ? "..." : "")
			 : start_call__why(&call);
}

enum sides { HERE_ONLY, THERE_ONLY, BOTH_SIDES, SIDES_COUNT };

static enum sides sides_of(const struct start_against_row *row)
{
	if (row->here && row->there)
		return BOTH_SIDES;
	return row->here ? HERE_ONLY : THERE_ONLY;
}

static char *words_of_row(const struct start_against_row *row)
{
	char *words = about_row(row);

	if (row->here && row->there)
		text__replace(&words, "%s (%" PRIu64 ", there %" PRIu64 ")", words, row->here,
			      row->there);
	else if (row->here + row->there > 1)
		text__replace(&words, "%s (%" PRIu64 ")", words, row->here + row->there);
	return words;
}

/* NULL: no calls of this name are of that kind; to be freed. */
static char *list_rows(const struct start_against_call *call, enum sides sides)
{
	struct name_list list = { .most = ABOUT_MOST };
	bool any = false;

	for (size_t i = 0; i < call->row_count; i++) {
		char *words;

		if (sides_of(&call->rows[i]) != sides)
			continue;
		words = words_of_row(&call->rows[i]);
		name_list__add(&list, words);
		free(words);
		any = true;
	}
	return any ? name_list__finish(&list) : NULL;
}

static void print_differences(const struct start_against_call *call, const struct table_output *output)
{
	static const char *const headings[SIDES_COUNT] = { "only here", "only there", "not as often" };
	autofree char *text = NULL;

	for (int sides = 0; sides < SIDES_COUNT; sides++) {
		autofree char *list = list_rows(call, sides);

		if (list)
			text__replace(&text, "%s%s%s: %s", text ? text : "", text ? "; " : "",
				      headings[sides], list);
	}
	wrap__print(call->name, text, INDENT, HANG, output);
}

void report__print_start_against_rows(const struct run *run, const struct report_options *options,
				      const struct table_output *output)
{
	const struct start_against *against = run->start->against;
	bool any = false;

	for (size_t i = 0; i < against->call_count; i++) {
		if (!against->calls[i].row_count)
			continue;
		if (!any) {
			putc('\n', output->stream);
			wrap__title("What only one of them calls, or calls more often", output);
		}
		any = true;
		print_differences(&against->calls[i], output);
	}
}

/* A row with the name that it is under. */
struct difference {
	struct start_against_row row;
	const char *name;
	struct cell about;
};

static const struct column difference_columns[] = {
	{ "here", COUNT_OF(struct difference, row.here) },
	{ "there", COUNT_OF(struct difference, row.there) },
	{ "call", TEXT_OF(struct difference, name) },
	{ "path", TEXT_OF(struct difference, row.path), .view = VIEW_DATA },
	{ "reason", WORD_OF(struct difference, row.reason, start_reason_keys), .view = VIEW_DATA },
	{ "about", COLUMN_TEXT, CELL_OF(struct difference, about) },
};

struct table *report__start_against_rows(const struct run *run, const struct report_options *options)
{
	const struct start_against *against = run->start->against;
	struct table *table = table__new("What only one of them calls, or calls more often");

	TABLE_COLUMNS(table, difference_columns, NULL);
	table__rule(table);
	for (size_t i = 0; i < against->call_count; i++) {
		const struct start_against_call *call = &against->calls[i];

		for (size_t k = 0; k < call->row_count; k++)
			table__add(table, &(struct difference){ call->rows[k], call->name,
								cell__own(about_row(&call->rows[k])) });
	}
	return table;
}
