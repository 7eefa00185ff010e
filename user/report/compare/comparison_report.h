/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A comparison for its readers: pure functions of the comparison, so that what was saved prints
 * as it did live.
 */
#ifndef FORKTAX_REPORT_COMPARE_COMPARISON_REPORT_H
#define FORKTAX_REPORT_COMPARE_COMPARISON_REPORT_H

#include "analysis/compare/comparison.h"
#include "format/table.h"
#include "report/run/filter.h"
#include "report/run/sort.h"

struct compare_view {
	bool quiet; /* the table only, and what was lost or could not be determined */
	enum sort_key sort; /* SORT_DEFAULT and SORT_CALLS: as in the comparison; SORT_NAME */
	const struct filter *filter; /* NULL: every call */
};

/* A table with counters as rows and builds as columns; as CSV one line per value. */
void compare__print(const struct comparison *comparison, const struct compare_view *view,
		    const struct table_output *output);

/* The parts of the table for people, top to bottom. */
void compare_table__add_files(struct table *table, const struct comparison *comparison);
void compare_table__add_counts(struct table *table, const struct comparison *comparison,
			       const struct compare_view *view);
void compare_table__add_times(struct table *table, const struct comparison *comparison);

/* Of two columns, what the second one has more, less or otherwise: in a sentence, and in a table. */
void compare__print_moved(const struct comparison *comparison, const struct compare_view *view,
			  const struct table_output *output);

/* What a file states, for people and programs; absent if it states nothing. */
struct compare_fact {
	const char *key, *header;
	struct cell (*of)(const struct elf_facts *facts);
};
extern const struct compare_fact compare_facts[];
extern const size_t compare_fact_count;

/*
 * For programs: a row per column and figure. Low and high are the extremes of counts and the 95 %
 * interval of times. Empty: not known.
 */
struct table *compare__figures(const struct comparison *comparison,
			       const struct compare_view *view);

/* Is the row part of the table under this view? */
bool compare_view__shows(const struct compare_view *view, const struct compare_row *row);
/* Text from anywhere as a line of its own; takes it over. */
void compare__print_line(char *text, const struct table_output *output);
/*
 * Prints a line for each column that is not exact, and for each with faults that could not be told
 * apart: what was lost comes before all figures.
 */
void compare__print_losses(const struct comparison *comparison, const struct table_output *output);

#endif
