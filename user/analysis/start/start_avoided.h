/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which calls of a start a rule of advice is about, and so which of them its remedy avoids.
 */
#ifndef FORKTAX_ANALYSIS_START_START_AVOIDED_H
#define FORKTAX_ANALYSIS_START_START_AVOIDED_H

#include "model/start/start.h"

typedef bool start_call_fn(const struct start_call *call);
start_call_fn start_call__is_failed_search; /* S1 */
start_call_fn start_call__is_for_locale; /* S3 */
start_call_fn start_call__is_for_names; /* S14 */

/* The advice of this start that avoids the call: "S1"; NULL: none does. */
const char *start_call__avoided_by(const struct start_call *call, const struct start *start);

#endif
