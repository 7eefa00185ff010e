/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which pages there are more of, in which section of what, and whose code wrote to them.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_PAGE_REASONS_H
#define FORKTAX_ANALYSIS_CHECK_PAGE_REASONS_H

#include "analysis/check/check_names.h"
#include "analysis/check/check_result.h"

/* For a finding of pages. `names` of one of the runs; NULL: there is none. */
void page_reasons__add(struct check_finding *finding, const struct check_result *result,
		       const struct check_names *names);

/* Are the pages that both of these have more of the same ones, in the same faults? */
bool page_reasons__are_same(const struct check_finding *finding, const struct check_finding *other,
			    const struct check_result *result);

#endif
