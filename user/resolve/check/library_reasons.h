/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who asks for a library: of the processes that loaded it, no others.
 */
#ifndef FORKTAX_RESOLVE_CHECK_LIBRARY_REASONS_H
#define FORKTAX_RESOLVE_CHECK_LIBRARY_REASONS_H

#include "analysis/check/check_names.h"
#include "analysis/check/check_result.h"

/* For a finding of a library. `names` of one of the runs; NULL: there is none. */
void library_reasons__add(struct check_finding *finding, const struct check_result *result,
			  const struct check_names *names);

#endif
