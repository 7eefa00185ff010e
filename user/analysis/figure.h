/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Figures (model/anatomy.h) that are computed.
 */
#ifndef FORKTAX_ANALYSIS_FIGURE_H
#define FORKTAX_ANALYSIS_FIGURE_H

#include "analysis/stats.h"
#include "model/anatomy.h"

/* One without an interval. */
struct figure figure__of(double value);
/* An estimate divided by that; not known if the divisor is 0. */
struct figure figure__of_estimate(struct estimate estimate, double divisor);
/* Makes the interval hold these as well. */
void figure__widen(struct figure *figure, double low, double high);

#endif
