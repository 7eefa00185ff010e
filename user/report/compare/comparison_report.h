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
	bool quiet;	    /* the table only; what was lost or could not be told is said all the same */
	enum sort_key sort; /* SORT_DEFAULT and SORT_CALLS: as in the comparison; SORT_NAME */
	const struct filter *filter; /* NULL: every call */
};

/* A table with counters as rows and builds as columns; as CSV one line per value. */
void compare__print(const struct comparison *comparison, const struct compare_view *view,
		    const struct table_output *output);

#endif
