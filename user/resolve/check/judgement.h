/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was measured now, held against a baseline: metric by metric, and why.
 */
#ifndef FORKTAX_RESOLVE_CHECK_JUDGEMENT_H
#define FORKTAX_RESOLVE_CHECK_JUDGEMENT_H

#include "analysis/check/check_result.h"
#include "model/run/run.h"

/*
 * Takes `now` over. `run` is one of the runs that it is of, for reasons; NULL: there are fewer.
 * `status` is how the runs ended. `inexact` (NULL: it is exact; taken over) says what was lost.
 */
struct check_result check_result__of(const struct baseline_check *check, struct baseline_context *now,
				     const struct run *run, const char *here, int32_t status, char *inexact);

#endif
