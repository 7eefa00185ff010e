/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a line of a script forks more.
 */
#ifndef FORKTAX_RESOLVE_CHECK_LINE_REASONS_H
#define FORKTAX_RESOLVE_CHECK_LINE_REASONS_H

#include "analysis/check/check_names.h"
#include "analysis/check/check_result.h"

/* Where the line is now, what its children execute, and which others are new. `names` may be NULL. */
void line_reasons__add(struct check_finding *finding, const struct check_result *result,
		       const struct check_names *names);

#endif
