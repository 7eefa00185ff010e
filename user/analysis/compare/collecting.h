/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looking through a run for things (thing.h).
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COLLECTING_H
#define FORKTAX_ANALYSIS_COMPARE_COLLECTING_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/shifted.h"
#include "analysis/compare/thing.h"

/* The run that is being looked through. */
struct collecting {
	struct things *things;
	const struct shifted *shifted;
	const struct compare_column *column; /* of that run */
	const struct run *run;
	size_t column_index, run_index;
};

/* Takes over the texts of the thing; column and run are filled in. */
void collecting__add(const struct collecting *collecting, struct thing thing);

/* Each adds what the run knows of its kind. */
typedef void collect_fn(const struct collecting *collecting);
collect_fn collect_pages, collect_symbols, collect_libraries, collect_files;

#endif
