// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/compare_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/by_chance.h"
#include "base/memory.h"

double *compare_column__values(const struct compare_column *column, measure_fn *of,
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
	double *values = compare_column__values(column, of, argument);
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
	double *top = compare_column__values(column, of, argument);
	double *bottom = compare_column__values(baseline, of, argument);
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

void compare_row__fill(const struct comparison *comparison, struct compare_row *row, double **values)
{
	const struct compare_column *columns = comparison->columns;
	const size_t base = comparison->baseline;

	row->cells = checked_calloc(comparison->column_count, sizeof(*row->cells));
	row->moves = checked_calloc(comparison->column_count, sizeof(*row->moves));
	for (size_t i = 0; i < comparison->column_count; i++)
		row->moves[i] = i == base ? MOVE_NONE :
			compare_move__of(values[i], columns[i].run_count, values[base],
					 columns[base].run_count,
					 compare_columns__pairing(&columns[i], &columns[base]));
	for (size_t i = 0; i < comparison->column_count; i++) { /* sorts the values: must come last */
		row->cells[i] = stats__spread(values[i], columns[i].run_count);
		free(values[i]);
	}
	free(values);
}

struct compare_row *comparison__add_row(struct comparison *comparison, enum compare_section section,
					char *key, char *header, measure_fn *of,
					struct measure_argument argument)
{
	double **values = checked_calloc(comparison->column_count, sizeof(*values));
	struct compare_row *row;

	comparison->rows =
		checked_grow(comparison->rows, comparison->row_count, sizeof(*comparison->rows));
	row = &comparison->rows[comparison->row_count++];
	*row = (struct compare_row){ section, key, header, .call = argument.call };
	for (size_t i = 0; i < comparison->column_count; i++)
		values[i] = compare_column__values(&comparison->columns[i], of, argument);
	compare_row__fill(comparison, row, values);
	return row;
}
