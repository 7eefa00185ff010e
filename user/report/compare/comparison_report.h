/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A comparison for its readers: pure functions of the comparison, so that what was saved prints
 * as it did live.
 */
#ifndef FORKTAX_REPORT_COMPARE_COMPARISON_REPORT_H
#define FORKTAX_REPORT_COMPARE_COMPARISON_REPORT_H

#include "analysis/compare/comparison.h"
#include "format/table.h"
#include "report/options.h"

/* The answer, and tables with counters as rows and builds as columns; as CSV one line per value. */
void comparison_report__print(const struct comparison *comparison, const struct report_options *options,
			      const struct table_output *output);

/* One for names of rows, and one for each column of the comparison; * marks what is not exact. */
void compare_table__add_columns(struct table *table, const struct comparison *comparison);
/* The parts of the table for people, top to bottom. */
void compare_table__add_files(struct table *table, const struct comparison *comparison);
void compare_table__add_counts(struct table *table, const struct comparison *comparison,
			       const struct report_options *options);
void compare_table__add_times(struct table *table, const struct comparison *comparison);
/* The same in two rows: the medians, and those ratios of them that are shown. */
void compare_table__add_short_times(struct table *table, const struct comparison *comparison);

/* Of two columns, what the second one has more, less or otherwise: in a sentence, and in a table. */
void compare__print_changed(const struct comparison *comparison, const struct report_options *options,
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
struct table *compare__figures(const struct comparison *comparison, const struct report_options *options);

/* What the comparison says, in a sentence: which is faster, and what it does more or less; to be freed. */
char *compare_words__answer(const struct comparison *comparison);
/* Why a column's LD_BIND_NOW changes nothing in its program, to be freed; NULL: none has it, or it does. */
char *compare_words__bind_now(const struct comparison *comparison);
/* In sentences, to be freed: what they did not do alike, or not each time; NULL: nothing is known of such a thing. */
char *compare_words__outcome(const struct comparison *comparison);
/* That all did the same, and what; NULL: they did not, or that was not tried. */
char *compare_words__same(const struct comparison *comparison);
/*
 * The answer's tables: times, and each count beside those of the other columns, or only their totals; phases of starts;
 * what else differs most between two columns.
 */
void compare_brief__print(const struct comparison *comparison, const struct report_options *options,
			  bool totals_alone, const struct table_output *output);
void compare_starts__print(const struct comparison *comparison, const struct table_output *output);
void compare_differences__print(const struct comparison *comparison, const struct report_options *options,
				const struct table_output *output);
/* Of a single command: how many counts are the same in all of its runs, and which vary. To be freed; NULL: one run. */
char *compare_words__varied(const struct comparison *comparison, const struct report_options *options);
/* The row of that section and key; NULL: there is none. */
const struct compare_row *compare__find_row(const struct comparison *comparison,
					    enum compare_section section, const char *key);

/* Is the row part of the table under these options? */
bool compare__shows(const struct report_options *options, const struct compare_row *row);

#endif
