// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/compare_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/by_chance.h"
#include "base/memory.h"

/* Of each traced run; to be freed. */
static double *values_of(const struct compare_column *column, measure_fn *of,
			 struct measure_argument argument)
{
	double *values = checked_calloc(column->run_count, sizeof(*values));

	argument.column = column;
	for (size_t i = 0; i < column->run_count; i++)
		values[i] = of(column->runs[i], &argument);
	return values;
}

/* The error of "openat ENOENT". */
static const char *error_of(const struct compare_row *row)
{
	const char *space = strrchr(row->header, ' ');

	return space ? space + 1 : row->header;
}

/* What belongs to no class may be anything. */
static bool is_class_by_chance(const struct compare_row *row)
{
	for (int class = 0; class < FAULT_COUNT; class++)
		if (!strcmp(fault_counters[class].key, row->key))
			return by_chance__class(class);
	return true;
}

bool compare_row__is_by_chance(const struct compare_row *row)
{
	switch (row->section) {
	case SECTION_SYSCALLS:
		return by_chance__call(row->call->name);
	case SECTION_ERRORS:
		return by_chance__call(row->call->name) || by_chance__error(error_of(row));
	case SECTION_FAULTS:
		return is_class_by_chance(row);
	default:
		return false;
	}
}

struct spread compare_column__measure(const struct compare_column *column, measure_fn *of,
				      struct measure_argument argument)
{
	double *values = values_of(column, of, argument);
	struct spread spread = stats__spread(values, column->run_count);

	free(values);
	return spread;
}

enum pairing compare_columns__pairing(const struct compare_column *column,
				      const struct compare_column *baseline)
{
	return column->measurement == baseline->measurement ? PAIRED : UNPAIRED;
}

static struct estimate ratio_of(const struct compare_column *column,
				const struct compare_column *baseline, measure_fn *of,
				struct measure_argument argument)
{
	double *top = values_of(column, of, argument), *bottom = values_of(baseline, of, argument);
	struct estimate ratio = stats__ratio(top, column->run_count, bottom, baseline->run_count,
					     compare_columns__pairing(column, baseline));

	free(top);
	free(bottom);
	return ratio;
}

void comparison__add_ratios(const struct comparison *comparison, struct compare_row *row,
			    measure_fn *of, struct measure_argument argument)
{
	const struct compare_column *columns = comparison->columns;

	row->ratios = checked_calloc(comparison->column_count, sizeof(*row->ratios));
	for (size_t i = 0; i < comparison->column_count; i++)
		if (i != comparison->baseline)
			row->ratios[i] = ratio_of(&columns[i], &columns[comparison->baseline], of,
						  argument);
}

static enum compare_move move_of(const struct compare_column *column,
				 const struct compare_column *baseline, measure_fn *of,
				 struct measure_argument argument)
{
	double *here = values_of(column, of, argument), *there = values_of(baseline, of, argument);
	enum compare_move move = compare_move__of(here, column->run_count, there, baseline->run_count,
						  compare_columns__pairing(column, baseline));

	free(here);
	free(there);
	return move;
}

struct compare_row *comparison__add_row(struct comparison *comparison, enum compare_section section,
					char *key, char *header, measure_fn *of,
					struct measure_argument argument)
{
	struct compare_row *row;

	comparison->rows =
		checked_grow(comparison->rows, comparison->row_count, sizeof(*comparison->rows));
	row = &comparison->rows[comparison->row_count++];
	*row = (struct compare_row){ section, key, header,
				     checked_calloc(comparison->column_count, sizeof(*row->cells)),
				     .call = argument.call };
	row->moves = checked_calloc(comparison->column_count, sizeof(*row->moves));
	for (size_t i = 0; i < comparison->column_count; i++) {
		const struct compare_column *column = &comparison->columns[i];

		row->cells[i] = compare_column__measure(column, of, argument);
		row->moves[i] = i == comparison->baseline
					? MOVE_NONE
					: move_of(column, &comparison->columns[comparison->baseline],
						  of, argument);
	}
	return row;
}
