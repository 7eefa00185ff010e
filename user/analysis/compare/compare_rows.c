// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/compare_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/page_state.h"
#include "analysis/compare/run_facts.h"
#include "analysis/forks/page_map.h"
#include "base/memory.h"
#include "base/text.h"

bool comparison__has_content(const struct comparison *comparison, const struct compare_row *row)
{
	for (size_t i = 0; i < comparison->column_count; i++)
		if (row->cells[i].known && row->cells[i].max > 0)
			return true;
	return false;
}

enum pairing compare_columns__pairing(const struct compare_column *column, const struct compare_column *baseline)
{
	return column->measurement == baseline->measurement ? PAIRED : UNPAIRED;
}

/* One fact wherever it was seen: consecutive elements of the list. */
struct occurrence {
	const struct run_fact *first;
	size_t count;
};

/* The last state that it met in the column, or the only state; NULL: it was not seen there. */
static const struct run_fact *seen_in(const struct occurrence *occurrence, size_t column)
{
	const struct run_fact *found = NULL;

	for (size_t i = 0; i < occurrence->count; i++)
		if (occurrence->first[i].column == column && (!found || occurrence->first[i].rank > found->rank))
			found = &occurrence->first[i];
	return found;
}

/* Of each run of each column; to be freed. */
static double **values_of(const struct comparison *comparison, const struct occurrence *occurrence)
{
	double **values = checked_calloc(comparison->column_count, sizeof(*values));

	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];

		values[i] = checked_calloc(column->run_count, sizeof(**values));
		for (size_t run = 0; run < column->run_count; run++)
			if (!run_facts__are_known(column, run, occurrence->first->section))
				values[i][run] = NAN;
	}
	for (size_t i = 0; i < occurrence->count; i++)
		values[occurrence->first[i].column][occurrence->first[i].run] = occurrence->first[i].value;
	return values;
}

/* As often, but not the same: another file of that name, another state. Of what is said besides this is all. */
static bool is_another(const struct run_fact *here, const struct run_fact *there)
{
	if (!here || !there)
		return false;
	if (here->section == SECTION_LIBRARIES || here->section == SECTION_PROGRAMS)
		return here->state && there->state && strcmp(here->state, there->state) != 0;
	return here->rank != there->rank;
}

static char *state_in(const struct comparison *comparison, const struct occurrence *occurrence, size_t column)
{
	const struct run_fact *seen = seen_in(occurrence, column), *any = occurrence->first;

	if (seen)
		return text__copy(seen->state);
	if (any->section != SECTION_PAGES || !comparison->columns[column].run_count)
		return NULL;
	return text__copy(page_state__without_fault(comparison->columns[column].runs[0], any->fault,
						    comparison->columns[any->column].runs[any->run]));
}

static enum compare_move move_of(const struct comparison *comparison, const struct occurrence *occurrence,
				 double *const *values, size_t index)
{
	const size_t base = comparison->baseline;
	const struct compare_column *column = &comparison->columns[index];
	const struct compare_column *baseline = &comparison->columns[base];
	enum compare_move move = MOVE_NONE;

	if (index != base)
		move = compare_move__of(values[index], column->run_count, values[base], baseline->run_count,
					compare_columns__pairing(column, baseline));
	/* What the counts do not tell. */
	if (compare_move__differs(move) && occurrence->first->section == SECTION_LIBRARIES &&
	    run_facts__are_certain(column) && run_facts__are_certain(baseline))
		return MOVE_SHOWN;
	if (move == MOVE_NONE && is_another(seen_in(occurrence, index), seen_in(occurrence, base)))
		return MOVE_OTHER;
	return move;
}

static struct estimate *ratios_of(const struct comparison *comparison, double *const *values)
{
	const size_t base = comparison->baseline;
	const struct compare_column *columns = comparison->columns;
	struct estimate *ratios = checked_calloc(comparison->column_count, sizeof(*ratios));

	for (size_t i = 0; i < comparison->column_count; i++)
		if (i != base)
			ratios[i] = faster_half__ratio(values[i], columns[i].run_count, values[base],
						       columns[base].run_count,
						       compare_columns__pairing(&columns[i], &columns[base]));
	return ratios;
}

/* In all columns. */
static void measure(const struct comparison *comparison, const struct occurrence *occurrence, struct compare_row *row)
{
	const size_t count = comparison->column_count;
	double **values = values_of(comparison, occurrence);

	row->cells = checked_calloc(count, sizeof(*row->cells));
	row->moves = checked_calloc(count, sizeof(*row->moves));
	for (size_t i = 0; i < count; i++)
		row->moves[i] = move_of(comparison, occurrence, values, i);
	if (row->section == SECTION_START_NS)
		row->ratios = ratios_of(comparison, values);
	for (size_t i = 0; i < count; i++) { /* sorts the values: must come last */
		row->cells[i] = stats__spread(values[i], comparison->columns[i].run_count);
		free(values[i]);
	}
	free(values);
}

/* What is there or not, with the name that it has in the baseline, if it has one there. */
static void name_thing(const struct comparison *comparison, const struct occurrence *occurrence,
		       struct compare_row *row)
{
	const struct run_fact *fact = seen_in(occurrence, comparison->baseline);

	fact = fact ? fact : occurrence->first;
	row->header = checked_strdup(fact->name);
	row->of = text__copy(fact->of);
	row->region = text__copy(fact->region);
	row->key = fact->of ? text__of("%s: %s", fact->of, fact->name) : checked_strdup(fact->name);
	row->states = checked_calloc(comparison->column_count, sizeof(*row->states));
	for (size_t i = 0; i < comparison->column_count; i++)
		row->states[i] = state_in(comparison, occurrence, i);
}

static bool differs(const struct comparison *comparison, const struct compare_row *row)
{
	for (size_t i = 0; i < comparison->column_count; i++)
		if (compare_move__differs(row->moves[i]))
			return true;
	return false;
}

/* Most phases have few classes: of these there are rows for what there is, as with system calls and errors. */
static bool is_kept(const struct comparison *comparison, const struct compare_row *row)
{
	if (row->section == SECTION_START_CLASSES)
		return comparison__has_content(comparison, row);
	return row->section < SECTION_FIRST_THING || differs(comparison, row);
}

static void add_row(struct comparison *comparison, const struct occurrence *occurrence)
{
	const struct run_fact *fact = occurrence->first;
	struct compare_row row = {
		.section = fact->section, .order = fact->order, .by_chance = fact->by_chance,
		.call = fact->call,
	};

	measure(comparison, occurrence, &row);
	if (!is_kept(comparison, &row)) {
		free(row.cells);
		free(row.moves);
		return;
	}
	for (size_t i = 0; i < occurrence->count; i++)
		row.rank = fact[i].rank > row.rank ? fact[i].rank : row.rank;
	if (row.section >= SECTION_FIRST_THING) {
		name_thing(comparison, occurrence, &row);
	} else {
		row.key = checked_strdup(fact->key);
		row.header = checked_strdup(fact->name);
	}
	comparison->rows = checked_grow(comparison->rows, comparison->row_count, sizeof(*comparison->rows));
	comparison->rows[comparison->row_count++] = row;
}

/* Of the whole comparison. */
struct sides {
	bool timed; /* some run has times of calls */
	bool mixed; /* files are those of the whole run, and those of its start: they cannot be compared */
};

static struct sides sides_of(const struct comparison *comparison)
{
	struct sides sides = { false };
	size_t with_files = 0, all = 0;

	for (size_t i = 0; i < comparison->column_count; i++)
		for (size_t k = 0; k < comparison->columns[i].run_count; k++, all++) {
			sides.timed |= comparison->columns[i].runs[k]->timed;
			with_files += comparison->columns[i].runs[k]->files != NULL;
		}
	sides.mixed = with_files && with_files != all;
	return sides;
}

static double most_calls(const struct compare_row *row, size_t columns)
{
	double most = 0;

	for (size_t i = 0; i < columns; i++)
		most = fmax(most, row->cells[i].known ? row->cells[i].median : 0);
	return most;
}

static int by_calls(const struct compare_row *a, const struct compare_row *b, const struct comparison *comparison)
{
	size_t columns = comparison->column_count;
	double baseline = b->cells[comparison->baseline].median - a->cells[comparison->baseline].median;
	double most = most_calls(b, columns) - most_calls(a, columns);

	if (baseline)
		return baseline < 0 ? -1 : 1;
	if (most)
		return most < 0 ? -1 : 1;
	return strcmp(a->header, b->header);
}

static double most_apart(const struct compare_row *row, const struct comparison *comparison)
{
	double apart = 0;

	for (size_t i = 0; i < comparison->column_count; i++)
		if (row->cells[i].known && row->cells[comparison->baseline].known)
			apart = fmax(apart, fabs(row->cells[i].median - row->cells[comparison->baseline].median));
	return apart;
}

/* Do the runs say that it moved? */
static bool is_borne_out(const struct compare_row *row, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		if (compare_move__differs(row->moves[i]) && row->moves[i] != MOVE_NOT_SHOWN)
			return true;
	return false;
}

static int by_difference(const struct compare_row *a, const struct compare_row *b, const struct comparison *comparison)
{
	const size_t columns = comparison->column_count;
	double more;
	int order;

	if (is_borne_out(a, columns) != is_borne_out(b, columns))
		return is_borne_out(a, columns) ? -1 : 1;
	if ((a->rank > PAGE_OWN) != (b->rank > PAGE_OWN))
		return a->rank > PAGE_OWN ? -1 : 1;
	more = most_apart(b, comparison) - most_apart(a, comparison);
	if (more != 0)
		return more < 0 ? -1 : 1;
	order = strcmp(a->of ? a->of : "", b->of ? b->of : "");
	return order ? order : strcmp(a->header, b->header);
}

/* Calls: the most first. Things: what differs most first. */
static int by_section(const void *left, const void *right, void *comparison)
{
	const struct compare_row *a = left, *b = right;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->call)
		return by_calls(a, b, comparison);
	return a->section < SECTION_FIRST_THING ? a->order - b->order : by_difference(a, b, comparison);
}

void comparison__add_rows(struct comparison *comparison)
{
	struct run_facts facts = run_facts__of(comparison->columns, comparison->column_count);
	const struct sides sides = sides_of(comparison);
	struct occurrence occurrence;

	for (size_t i = 0; i < facts.count; i += occurrence.count) {
		occurrence = (struct occurrence){ &facts.list[i], 1 };
		while (i + occurrence.count < facts.count &&
		       occurrence.first[occurrence.count].section == occurrence.first->section &&
		       !strcmp(occurrence.first[occurrence.count].key, occurrence.first->key))
			occurrence.count++;
		if ((sides.timed || occurrence.first->section != SECTION_SYSCALL_NS) &&
		    (!sides.mixed || occurrence.first->section != SECTION_FILES))
			add_row(comparison, &occurrence);
	}
	if (comparison->row_count)
		qsort_r(comparison->rows, comparison->row_count, sizeof(*comparison->rows), by_section, comparison);
	run_facts__free(&facts);
}
