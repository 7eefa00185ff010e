/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a metric is worse: which file was opened more, which page of what was written and by whose code,
 * who asks for the library, what was lost. By what baseline and measurement say besides their counts.
 */
#ifndef FORKTAX_RESOLVE_CHECK_FINDING_REASONS_H
#define FORKTAX_RESOLVE_CHECK_FINDING_REASONS_H

#include "analysis/check/check_names.h"
#include "analysis/check/check_result.h"

/* To all findings that fail. `names` of one of the runs; NULL: there is none. */
void finding_reasons__add(struct check_result *result, const struct check_names *names);
/* For a finding of calls, or of calls that failed: about which files there are more, by ld.so or by the program. */
void call_reasons__add(struct check_finding *finding, const struct check_result *result,
		       const struct check_names *names);
/* For a finding of a library: who asks for it, of the processes that loaded it, no others. */
void library_reasons__add(struct check_finding *finding, const struct check_result *result,
			  const struct check_names *names);

#endif
