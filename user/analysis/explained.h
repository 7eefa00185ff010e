/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much time the counts that differ can take at most. A measured difference beyond that has another cause, or is
 * chance.
 */
#ifndef FORKTAX_ANALYSIS_EXPLAINED_H
#define FORKTAX_ANALYSIS_EXPLAINED_H

#include <stdbool.h>

#include "model/anatomy/anatomy.h"
#include "model/estimate.h"

/* So many page faults and look-ups of symbols, in ns. NAN: unknown, as are the costs. */
double explained__most(double faults, double lookups, const struct estimate costs[COST_COUNT]);
/* Is even the end of the interval that is next to 0 beyond it? Not if that is NAN. */
bool explained__is_exceeded(const struct estimate *difference, double most);

#endif
