/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looking through a run for facts (run_fact.h).
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COLLECTING_H
#define FORKTAX_ANALYSIS_COMPARE_COLLECTING_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/run_fact.h"
#include "analysis/compare/shifted.h"
#include "base/memory.h"

/* The run that is being looked through. */
struct collecting {
	struct run_facts *facts;
	const struct shifted *shifted;
	const struct compare_column *column; /* of that run */
	const struct run *run;
	size_t column_index, run_index;
};

/* Takes over the texts of the fact; column and run are filled in. */
static inline void collecting__add(const struct collecting *collecting, struct run_fact fact)
{
	struct run_facts *facts = collecting->facts;

	fact.column = collecting->column_index;
	fact.run = collecting->run_index;
	facts->list = checked_grow(facts->list, facts->count, sizeof(*facts->list));
	facts->list[facts->count++] = fact;
}

/* Of a section whose rows have a place of their own. */
static inline void collecting__count(const struct collecting *collecting, enum compare_section section,
				     int order, const char *key, const char *header, double value)
{
	collecting__add(collecting, (struct run_fact){
		.section = section, .order = order, .key = checked_strdup(key),
		.name = checked_strdup(header), .value = value,
	});
}

/* Each adds what the run knows of its kind. */
typedef void collect_fn(const struct collecting *collecting);
collect_fn collect_calls, collect_faults, collect_children, collect_start;
collect_fn collect_pages, collect_symbols, collect_libraries, collect_files;

#endif
