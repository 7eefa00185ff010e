// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/compare/causes.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/compare/unexplained.h"
#include "analysis/explained.h"
#include "calibrate/calibrate.h"
#include "resolve/bindnow/read_files.h"

/* At worst each image and each child looks up each function in each file. */
static double lookups_of(const struct compare_column *column)
{
	struct bindnow_files *files = bindnow_files__read(column);
	const uint64_t *totals = column->runs[0]->totals;
	const bool known = bindnow_files__are_known(files);
	const double lookups = (double)bindnow_files__functions(files) * (double)files->count *
			       (double)(1 + totals[LIFE_EXECS] + totals[LIFE_FORKS]);

	bindnow_files__free(files);
	return known ? lookups : NAN;
}

static void find(struct comparison *comparison, size_t column, const struct estimate costs[COST_COUNT])
{
	double lookups = 0;

	if (unexplained__may_bind_otherwise(comparison, column))
		lookups = lookups_of(&comparison->columns[column]) +
			  lookups_of(&comparison->columns[comparison->baseline]);
	comparison->columns[column].explained_ns =
		explained__most(unexplained__faults(comparison, column), lookups, costs);
}

void comparison__find_causes(struct comparison *comparison)
{
	struct estimate costs[COST_COUNT] = { 0 };
	char *reason = NULL;

	for (size_t i = 0; i < comparison->column_count; i++) {
		if (!unexplained__is_asked(comparison, i))
			continue;
		if (!costs[COST_COPY].known && !reason)
			calibrate__costs(costs, &reason);
		find(comparison, i, costs);
	}
	free(reason);
}
