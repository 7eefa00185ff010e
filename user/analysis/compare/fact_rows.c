// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/fact_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/page_state.h"
#include "analysis/compare/run_facts.h"
#include "analysis/forks/page_map.h"
#include "base/memory.h"
#include "base/text.h"

/* One fact wherever it was seen: consecutive elements of the list. */
struct occurrence {
	const struct run_fact *first;
	size_t count;
};

static bool is_in(const struct run_fact *fact, size_t column, size_t run)
{
	return fact->column == column && fact->run == run;
}

/* The last state that it met in the column, or the only state; NULL: it was not seen there. */
static const struct run_fact *seen_in(const struct occurrence *occurrence, size_t column)
{
	const struct run_fact *found = NULL;

	for (size_t i = 0; i < occurrence->count; i++)
		if (occurrence->first[i].column == column &&
		    (!found || occurrence->first[i].rank > found->rank))
			found = &occurrence->first[i];
	return found;
}

/* Of each run; to be freed. */
static double *values_in(const struct comparison *comparison, const struct occurrence *occurrence,
			 size_t index)
{
	const struct compare_column *column = &comparison->columns[index];
	double *values = checked_calloc(column->run_count, sizeof(*values));

	for (size_t run = 0; run < column->run_count; run++)
		values[run] =
			run_facts__are_known(column, run, occurrence->first->section) ? 0 : NAN;
	for (size_t i = 0; i < occurrence->count; i++)
		for (size_t run = 0; run < column->run_count; run++)
			if (is_in(&occurrence->first[i], index, run) && !isnan(values[run]))
				values[run] = occurrence->first[i].value;
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

static char *state_in(const struct comparison *comparison, const struct occurrence *occurrence,
		      size_t column)
{
	const struct run_fact *seen = seen_in(occurrence, column), *any = occurrence->first;
	const char *state;

	if (seen)
		return seen->state ? checked_strdup(seen->state) : NULL;
	if (any->section != SECTION_PAGES || !comparison->columns[column].run_count)
		return NULL;
	state = page_state__without_fault(comparison->columns[column].runs[0], any->fault,
					  comparison->columns[any->column].runs[any->run]);
	return state ? checked_strdup(state) : NULL;
}

/* What the counts do not tell. */
static enum compare_move refine(const struct comparison *comparison, const struct occurrence *occurrence,
				size_t index, enum compare_move move)
{
	const struct compare_column *columns = comparison->columns;
	const size_t base = comparison->baseline;

	if (compare_move__differs(move) && occurrence->first->section == SECTION_LIBRARIES &&
	    run_facts__are_certain(&columns[index]) && run_facts__are_certain(&columns[base]))
		return MOVE_SHOWN;
	if (move == MOVE_NONE && is_another(seen_in(occurrence, index), seen_in(occurrence, base)))
		return MOVE_OTHER;
	return move;
}

/* Measures it in all columns; whether it differs somewhere. */
static bool fill(const struct comparison *comparison, const struct occurrence *occurrence,
		 struct compare_row *row)
{
	double **values = checked_calloc(comparison->column_count, sizeof(*values));
	bool differs = false;

	for (size_t i = 0; i < comparison->column_count; i++)
		values[i] = values_in(comparison, occurrence, i);
	compare_row__fill(comparison, row, values);
	for (size_t i = 0; i < comparison->column_count; i++) {
		row->moves[i] = refine(comparison, occurrence, i, row->moves[i]);
		differs |= compare_move__differs(row->moves[i]);
	}
	return differs;
}

/* The name that it has in the baseline, if it has one there. */
static const struct run_fact *named_by(const struct comparison *comparison,
				       const struct occurrence *occurrence)
{
	const struct run_fact *fact = seen_in(occurrence, comparison->baseline);

	return fact ? fact : occurrence->first;
}

static void add(struct comparison *comparison, const struct occurrence *occurrence)
{
	const struct run_fact *fact = named_by(comparison, occurrence);
	const size_t columns = comparison->column_count;
	struct compare_row row = { .section = fact->section };

	if (!fill(comparison, occurrence, &row)) {
		free(row.cells);
		free(row.moves);
		return;
	}
	for (size_t i = 0; i < occurrence->count; i++)
		row.rank =
			occurrence->first[i].rank > row.rank ? occurrence->first[i].rank : row.rank;
	row.header = checked_strdup(fact->name);
	row.of = fact->of ? checked_strdup(fact->of) : NULL;
	row.region = fact->region ? checked_strdup(fact->region) : NULL;
	row.key = fact->of ? text__of("%s: %s", fact->of, fact->name) : checked_strdup(fact->name);
	row.states = checked_calloc(columns, sizeof(*row.states));
	for (size_t i = 0; i < columns; i++)
		row.states[i] = state_in(comparison, occurrence, i);
	comparison->rows =
		checked_grow(comparison->rows, comparison->row_count, sizeof(*comparison->rows));
	comparison->rows[comparison->row_count++] = row;
}

/* Files are those of the whole run, or those of its start: of both kinds, none can be compared. */
static bool are_alike(const struct comparison *comparison)
{
	size_t with = 0, all = 0;

	for (size_t i = 0; i < comparison->column_count; i++)
		for (size_t k = 0; k < comparison->columns[i].run_count; k++, all++)
			with += comparison->columns[i].runs[k]->files != NULL;
	return !with || with == all;
}

static double most_apart(const struct compare_row *row, const struct comparison *comparison)
{
	double apart = 0;

	for (size_t i = 0; i < comparison->column_count; i++)
		if (row->cells[i].known && row->cells[comparison->baseline].known)
			apart = fmax(apart, fabs(row->cells[i].median -
						 row->cells[comparison->baseline].median));
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

static int by_difference(const void *left, const void *right, void *context)
{
	const struct compare_row *a = left, *b = right;
	const size_t columns = ((const struct comparison *)context)->column_count;
	double more;
	int order;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (is_borne_out(a, columns) != is_borne_out(b, columns))
		return is_borne_out(a, columns) ? -1 : 1;
	if ((a->rank > PAGE_OWN) != (b->rank > PAGE_OWN))
		return a->rank > PAGE_OWN ? -1 : 1;
	more = most_apart(b, context) - most_apart(a, context);
	if (more != 0)
		return more < 0 ? -1 : 1;
	order = strcmp(a->of ? a->of : "", b->of ? b->of : "");
	return order ? order : strcmp(a->header, b->header);
}

static void sort_from(struct comparison *comparison, size_t first)
{
	if (comparison->row_count > first)
		qsort_r(comparison->rows + first, comparison->row_count - first,
			sizeof(*comparison->rows), by_difference, comparison);
}

void comparison__add_facts(struct comparison *comparison)
{
	struct run_facts facts = run_facts__of(comparison->columns, comparison->column_count);
	const bool files = are_alike(comparison);
	struct occurrence occurrence;
	size_t first = comparison->row_count;

	for (size_t i = 0; i < facts.count; i += occurrence.count) {
		occurrence = (struct occurrence){ &facts.list[i], 1 };
		while (i + occurrence.count < facts.count &&
		       occurrence.first[occurrence.count].section == occurrence.first->section &&
		       !strcmp(occurrence.first[occurrence.count].key, occurrence.first->key))
			occurrence.count++;
		if (files || occurrence.first->section != SECTION_FILES)
			add(comparison, &occurrence);
	}
	sort_from(comparison, first);
	run_facts__free(&facts);
}
