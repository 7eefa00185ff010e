/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which pages there are more of, in which section of what, and whose code wrote to them.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_PAGE_REASONS_H
#define FORKTAX_ANALYSIS_CHECK_PAGE_REASONS_H

#include "analysis/check/check_result.h"
#include "model/run.h"

/* For a finding of pages. `run` and `here` as of check_result__of(). */
void page_reasons__add(struct check_finding *finding, const struct check_result *result,
		       const struct run *run, const char *here);

#endif
