/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a metric is worse: which file was opened more, which page of what was written and by whose code,
 * who asks for the library, what was lost. By what baseline and measurement say besides their counts.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_FINDING_REASONS_H
#define FORKTAX_ANALYSIS_CHECK_FINDING_REASONS_H

#include "analysis/check/check_result.h"
#include "model/run.h"

/* To all findings that fail. `run`, `here` as of check_result__of(). */
void finding_reasons__add(struct check_result *result, const struct run *run, const char *here);

#endif
