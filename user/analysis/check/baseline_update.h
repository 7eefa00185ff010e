/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a baseline takes in of what was measured.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_BASELINE_UPDATE_H
#define FORKTAX_ANALYSIS_CHECK_BASELINE_UPDATE_H

#include "model/baseline/baseline.h"

/*
 * What --ratchet makes of the context that held: metrics that are better get the range that was
 * measured, and what explains them is what was measured. No range becomes wider, or higher.
 */
struct baseline_context baseline_context__tightened(const struct baseline_context *then,
						    const struct baseline_context *now);
/*
 * What --update does to what was measured, before it takes the place of `then`: a metric that did not
 * move gets a range that holds both. So lines change only where something has changed.
 */
void baseline_context__keep_ranges(struct baseline_context *now, const struct baseline_context *then);

#endif
