/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which calls there are more of: about which files, by ld.so or by the program.
 */
#ifndef FORKTAX_RESOLVE_CHECK_CALL_REASONS_H
#define FORKTAX_RESOLVE_CHECK_CALL_REASONS_H

#include "analysis/check/check_names.h"
#include "analysis/check/check_result.h"

/* For a finding of calls, or of calls that failed. `names` of one of the runs; NULL: there is none. */
void call_reasons__add(struct check_finding *finding, const struct check_result *result,
		       const struct check_names *names);

#endif
