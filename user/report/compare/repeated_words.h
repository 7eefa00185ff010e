/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What several runs of one command say, in sentences. All are to be freed.
 */
#ifndef FORKTAX_REPORT_COMPARE_REPEATED_WORDS_H
#define FORKTAX_REPORT_COMPARE_REPEATED_WORDS_H

#include "analysis/compare/comparison.h"
#include "report/options.h"

/* Is the row one of those that were counted and are shown: not of zeros, not of calls left out? */
bool repeated_words__has(const struct compare_row *row, const struct report_options *options);
/* How many counts were the same in all runs, and which varied, by how much. */
char *repeated_words__answer(const struct comparison *comparison,
			     const struct report_options *options);
/* What ran how often, how it ended, how long it took. */
char *repeated_words__runs(const struct compare_column *column);

#endif
