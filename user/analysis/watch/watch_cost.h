/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the kernel half of a watch takes of the machine: what happened, times what each of it costs.
 */
#ifndef FORKTAX_ANALYSIS_WATCH_WATCH_COST_H
#define FORKTAX_ANALYSIS_WATCH_WATCH_COST_H

#include "model/watch/watch.h"

/* CPU seconds between two samples; `costs`: one for each meeting. `before`: NULL: since counting began. */
double watch_cost__seconds(const struct watch_costs *costs, const struct watch_sample *before,
			   const struct watch_sample *now);

#endif
