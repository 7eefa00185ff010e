// SPDX-License-Identifier: GPL-2.0-or-later
/* What changed from one column to the other, and what is known about why. */
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/run_facts.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "format/column.h"
#include "format/html/html_page.h"
#include "format/wrap.h"
#include "report/cells.h"
#include "report/compare/comparison_report.h"
#include "report/words.h"

enum { SIDES = 2 };
enum { MOST_LINES = 20, MOST_ON_PAGE = 200 }; /* of one kind, for people */
enum { MOST_NAMES = 3 };

/* NULL: its rows are parts or means of others. */
static const struct {
	const char *what, *one, *many;
	const char *recorded_by; /* NULL: always */
} kinds[SECTION_COUNT] = {
	[SECTION_SYSCALLS] = { "calls", "system call", "system calls", NULL },
	[SECTION_ERRORS] = { "errors", "error", "errors", NULL },
	[SECTION_FAULTS] = { "faults", "class of faults", "classes of faults", NULL },
	[SECTION_PROGRAMS] = { "program", "program", "programs", NULL },
	[SECTION_LIBRARIES] = { "library", "library", "libraries", "--anatomy" },
	[SECTION_LINES] = { "forks of a line", "line of scripts", "lines of scripts", NULL },
	[SECTION_GROUPS] = { "children", "group of children", "groups of children", NULL },
	[SECTION_PROCESSES] = { "processes", "kind of process", "kinds of processes", NULL },
	[SECTION_FILES] = { "file accesses", "file", "files", NULL },
	[SECTION_SYMBOLS] = { "bound symbol", "bound symbol", "bound symbols", "--anatomy" },
	[SECTION_PAGES] = { "page", "page", "pages", "--anatomy" },
};

/* Causes first. */
static const enum compare_section order[] = {
	SECTION_PROGRAMS, SECTION_LIBRARIES, SECTION_LINES, SECTION_GROUPS,   SECTION_PROCESSES, SECTION_FILES,
	SECTION_SYMBOLS,  SECTION_PAGES,     SECTION_SYSCALLS, SECTION_ERRORS, SECTION_FAULTS,
};
enum { KIND_COUNT = sizeof(order) / sizeof(order[0]) };

enum change { CHANGE_NEW, CHANGE_GONE, CHANGE_MORE, CHANGE_LESS, CHANGE_ANOTHER, ANY_CHANGE };

static const char *const change_words[ANY_CHANGE] = {
	"new", "lost", "more", "fewer", "changed",
};

/* The two sides of a comparison: the baseline, and the other one. */
struct changed {
	const struct comparison *comparison;
	const struct report_options *options;
	size_t from, to;
};

/* One side has a single run: any difference may be chance. */
static bool is_single(const struct changed *changed)
{
	const struct compare_column *columns = changed->comparison->columns;

	return columns[changed->from].run_count == 1 || columns[changed->to].run_count == 1;
}

static bool has_changed(const struct changed *changed, const struct compare_row *row)
{
	return compare_move__differs(row->moves[changed->to]) && compare__shows(changed->options, row);
}

static enum change change_of(const struct changed *changed, const struct compare_row *row)
{
	const struct spread *from = &row->cells[changed->from], *to = &row->cells[changed->to];

	if (row->moves[changed->to] == MOVE_OTHER)
		return CHANGE_ANOTHER;
	if (!from->max)
		return CHANGE_NEW;
	if (!to->max)
		return CHANGE_GONE;
	if (from->median == to->median)
		return from->max + from->min < to->max + to->min ? CHANGE_MORE : CHANGE_LESS;
	return from->median < to->median ? CHANGE_MORE : CHANGE_LESS;
}

/* Do the runs bear it out? */
static const char *evidence_of(enum compare_move move)
{
	static const char *const words[MOVE_COUNT] = {
		[MOVE_OTHER] = "yes",	     [MOVE_ONE_RUN] = "single run",
		[MOVE_FEW] = "too few runs", [MOVE_NOT_SHOWN] = "no",
		[MOVE_SHOWN] = "yes",
	};

	return words[move];
}

/* A path and a linkage are what they are; what becomes of a page is another thing each time. */
static const char *evidence_in(const struct changed *changed, const struct compare_row *row)
{
	const enum compare_move move = row->moves[changed->to];

	return evidence_of(move == MOVE_OTHER && row->section == SECTION_PAGES && is_single(changed) ? MOVE_ONE_RUN
												     : move);
}

/* For single runs, the sentence does not say which has more: both numbers are beside it. */
static const char *change_in(const struct changed *changed, const struct compare_row *row)
{
	const enum change change = change_of(changed, row);

	return is_single(changed) && (change == CHANGE_MORE || change == CHANGE_LESS) ? "differs"
										      : change_words[change];
}

struct changed_line {
	const char *what, *change, *shown;
	struct cell from, to, name, of, states;
};

static struct cell count_cell(const struct spread *spread)
{
	return cell__spread(spread, words__spread(spread, unit__none));
}

/* "shared -> copied by ld.so, _dl_fixup", or the only one that is known. */
static struct cell states_of(const struct changed *changed, const struct compare_row *row)
{
	const char *from = row->states ? row->states[changed->from] : NULL;
	const char *to = row->states ? row->states[changed->to] : NULL;

	if (from && to && strcmp(from, to) != 0)
		return cell__own(text__of("%s -> %s", from, to));
	return cell__text(to ? to : from);
}

static struct changed_line line_of(const struct changed *changed, const struct compare_row *row)
{
	return (struct changed_line){
		.what = kinds[row->section].what,
		.change = change_in(changed, row),
		.shown = evidence_in(changed, row),
		.from = count_cell(&row->cells[changed->from]),
		.to = count_cell(&row->cells[changed->to]),
		.name = cell__text(row->header),
		.of = cell__text(row->of),
		.states = states_of(changed, row),
	};
}

/* Has a row that moved something to say there? */
static bool has_any(const struct changed *changed, bool states)
{
	for (size_t i = 0; i < changed->comparison->row_count; i++) {
		const struct compare_row *row = &changed->comparison->rows[i];

		if (has_changed(changed, row) && (states ? row->states != NULL : row->of != NULL))
			return true;
	}
	return false;
}

static void make_columns(struct table *table, const struct changed *changed)
{
	const struct compare_column *columns = changed->comparison->columns;

	table__column(table, "what", COLUMN_TEXT);
	table__column(table, columns[changed->from].label, COLUMN_COUNT);
	table__column(table, columns[changed->to].label, COLUMN_COUNT);
	table__column(table, "change", COLUMN_TEXT);
	table__column(table, "significant", COLUMN_TEXT);
	table__column(table, "name", COLUMN_TEXT);
	table__put_column(table, "of", COLUMN_TEXT, has_any(changed, false) ? VIEW_BOTH : 0);
	table__put_column(table, "how", COLUMN_TEXT, has_any(changed, true) ? VIEW_BOTH : 0);
}

static void add_line(struct table *table, const struct changed_line *line)
{
	table__row(table);
	table__text(table, line->what);
	table__put(table, line->from);
	table__put(table, line->to);
	table__text(table, line->change);
	table__text(table, line->shown);
	table__put(table, line->name);
	table__put(table, line->of);
	table__put(table, line->states);
}

/* The rows of that kind that have moved; the number that is not shown. */
static size_t add_kind(struct table *table, const struct changed *changed, enum compare_section kind, size_t most)
{
	const struct comparison *comparison = changed->comparison;
	size_t count = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];
		struct changed_line line;

		if (row->section != kind || !has_changed(changed, row) || ++count > most)
			continue;
		line = line_of(changed, row);
		add_line(table, &line);
	}
	return count > most ? count - most : 0;
}

/* Rows that a part of the summary names. */
struct choice {
	bool (*holds)(const struct changed *changed, const struct compare_row *row);
	enum change change;
};

static bool is_shown_to_change(const struct changed *changed, const struct compare_row *row)
{
	return row->moves[changed->to] == MOVE_SHOWN || row->moves[changed->to] == MOVE_OTHER;
}

static bool has_few_runs(const struct changed *changed, const struct compare_row *row)
{
	return row->moves[changed->to] == MOVE_FEW;
}

static bool is_by_chance(const struct changed *changed, const struct compare_row *row)
{
	return row->by_chance;
}

static bool is_not_by_chance(const struct changed *changed, const struct compare_row *row)
{
	return !row->by_chance;
}

/* "new pages: a, b"; `text` grows. */
static void tell(const struct changed *changed, enum compare_section kind, const struct choice *choice, char **text)
{
	const struct comparison *comparison = changed->comparison;
	const char *change = choice->change < ANY_CHANGE ? change_words[choice->change] : "";
	struct name_list names = { .most = MOST_NAMES };
	size_t count = 0;
	autofree char *list = NULL;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (row->section != kind || !has_changed(changed, row) || !choice->holds(changed, row) ||
		    (choice->change < ANY_CHANGE && change_of(changed, row) != choice->change))
			continue;
		name_list__add(&names, row->header);
		count++;
	}
	list = name_list__finish(&names);
	if (count)
		text__replace(text, "%s%s%s%s%s: %s", *text ? *text : "", *text ? "; " : "", change,
			      *change ? " " : "", count == 1 ? kinds[kind].one : kinds[kind].many, list);
}

/* Kind by kind, and of each change by change; to be freed; NULL: nothing. */
static char *changes_of(const struct changed *changed,
			bool (*holds)(const struct changed *changed, const struct compare_row *row))
{
	char *text = NULL;

	for (size_t i = 0; i < KIND_COUNT; i++)
		for (enum change change = 0; change < ANY_CHANGE; change++)
			tell(changed, order[i], &(struct choice){ holds, change }, &text);
	return text;
}

/* The same, without saying which side has more. */
static char *differences_of(const struct changed *changed,
			    bool (*holds)(const struct changed *changed, const struct compare_row *row))
{
	char *text = NULL;

	for (size_t i = 0; i < KIND_COUNT; i++)
		tell(changed, order[i], &(struct choice){ holds, ANY_CHANGE }, &text);
	return text;
}

/* Adds a sentence, if there is something to it. */
static void add_sentence(char **text, const char *begin, const char *what)
{
	if (what)
		text__replace(text, "%s %s%s.", *text, begin, what);
}

static char *summary_of(const struct changed *changed)
{
	const struct compare_column *columns = changed->comparison->columns;
	char *sides = text__of("From %s to %s", columns[changed->from].label, columns[changed->to].label);
	autofree char *first = is_single(changed) ? differences_of(changed, is_not_by_chance)
						  : changes_of(changed, is_shown_to_change);
	autofree char *second = is_single(changed) ? differences_of(changed, is_by_chance)
						   : changes_of(changed, has_few_runs);

	if (!first && !second) {
		text__replace(&sides, "%s: no difference in what was recorded of both.", sides);
	} else if (is_single(changed)) {
		text__replace(&sides, "%s, by a single run of %s, which is no proof of a "
				      "difference.", sides,
			      columns[changed->from].run_count == columns[changed->to].run_count
				      ? "each" : "one of them");
		add_sentence(&sides, "Different: ", first);
		add_sentence(&sides, "Decided by the scheduler or the page cache: ", second);
	} else {
		text__replace(&sides, "%s: %s.", sides, first ? first : "no significant difference");
		add_sentence(&sides, "With too few runs to exclude chance: ", second);
	}
	return sides;
}

static bool is_known(const struct compare_column *column, enum compare_section kind)
{
	for (size_t i = 0; i < column->run_count; i++)
		if (!run_facts__are_known(column, i, kind))
			return false;
	return column->run_count;
}

/* What cannot be compared, since one side or both did not record it. */
static void print_unknown(const struct changed *changed, const struct table_output *output)
{
	const struct compare_column *columns = changed->comparison->columns;
	char *text = NULL;

	for (size_t i = 0; i < KIND_COUNT; i++) {
		const enum compare_section kind = order[i];

		if (!kinds[kind].recorded_by || (is_known(&columns[changed->from], kind) &&
						 is_known(&columns[changed->to], kind)))
			continue;
		text__replace(&text, "%s%s%s (%s)", text ? text : "", text ? ", " : "",
			      kinds[kind].many, kinds[kind].recorded_by);
	}
	if (!text)
		return;
	text__replace(&text, "Not recorded of both: %s; the option records them.", text);
	wrap__labelled(NULL, text, output);
}

/* What is a measure stands side by side in the table of all figures, which on a page is far below. */
static bool is_shown(enum compare_section kind, const struct table_output *output)
{
	return output->page || kind >= SECTION_FIRST_THING;
}

/* Whether there was anything for it. */
static bool print_table(const struct changed *changed, const struct table_output *output)
{
	struct table *table = table__new(NULL);
	size_t left_out = 0;

	make_columns(table, changed);
	table__rule(table);
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (is_shown(order[i], output))
			left_out += add_kind(table, changed, order[i], output->page ? MOST_ON_PAGE : MOST_LINES);
	if (table__rows(table) == 1) { /* the rule */
		table__free(table);
		return false;
	}
	table__show(table, output);
	if (left_out)
		fprintf(output->stream, "%zu more%s\n", left_out, output->page ? "." : ": --csv or --json.");
	return true;
}

/* Is something counted per child? */
static bool has_averages(const struct changed *changed)
{
	for (size_t i = 0; i < changed->comparison->row_count; i++) {
		const struct compare_row *row = &changed->comparison->rows[i];

		if ((row->section == SECTION_PAGES || row->section == SECTION_SYMBOLS) && has_changed(changed, row))
			return true;
	}
	return false;
}

static void print_evidence(const struct changed *changed, const struct table_output *output)
{
	const struct compare_column *columns = changed->comparison->columns;
	char *text = text__of(
		"%sSignificant: chance makes such a difference in less than 5 %% of cases (%zu and %zu "
		"traced runs).",
		has_averages(changed) ? "Pages and bound symbols are those of a recorded child, on average. " : "",
		columns[changed->from].run_count, columns[changed->to].run_count);

	wrap__labelled(NULL, text, output);
}

static bool has_runs(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++)
		if (!comparison->columns[i].run_count)
			return false;
	return true;
}

void compare__print_changed(const struct comparison *comparison,
			    const struct report_options *options, const struct table_output *output)
{
	struct changed changed = { comparison, options, comparison->baseline, !comparison->baseline };
	autofree char *title = NULL;

	if (comparison->column_count != SIDES || !has_runs(comparison))
		return;
	title = text__of("What changed from %s to %s", comparison->columns[changed.from].label,
			 comparison->columns[changed.to].label);
	if (output->page)
		html_page__heading(output->page, title);
	wrap__labelled(NULL, summary_of(&changed), output);
	if (print_table(&changed, output) && !options->quiet)
		print_evidence(&changed, output);
	if (!options->quiet)
		print_unknown(&changed, output);
	if (!output->page)
		putc('\n', output->stream);
}
