/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looking through a run for facts (run_fact.h).
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COLLECTING_H
#define FORKTAX_ANALYSIS_COMPARE_COLLECTING_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/run_fact.h"
#include "analysis/compare/shifted.h"

/* The run that is being looked through. */
struct collecting {
	struct run_facts *facts;
	const struct shifted *shifted;
	const struct compare_column *column; /* of that run */
	const struct run *run;
	size_t column_index, run_index;
};

/* Takes over the texts of the fact; column and run are filled in. */
void collecting__add(const struct collecting *collecting, struct run_fact fact);

/* Each adds what the run knows of its kind. */
typedef void collect_fn(const struct collecting *collecting);
collect_fn collect_pages, collect_symbols, collect_libraries, collect_files;

#endif
