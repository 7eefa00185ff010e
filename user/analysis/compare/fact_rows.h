/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rows for what is there in one column and not, or not so, in another: libraries, pages and so on.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_FACT_ROWS_H
#define FORKTAX_ANALYSIS_COMPARE_FACT_ROWS_H

#include "analysis/compare/compare_rows.h"

/* Adds those that differ from the baseline in some column: of a section, what differs most comes first. */
void comparison__add_facts(struct comparison *comparison);

#endif
