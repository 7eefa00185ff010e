/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a small difference that was measured just now can come from (analysis/compare/unexplained.h).
 */
#ifndef FORKTAX_CMD_COMPARE_CAUSES_H
#define FORKTAX_CMD_COMPARE_CAUSES_H

#include "analysis/compare/comparison.h"

/* Stores how much of it faults and bindings explain in the columns that need it. Measures what these cost here. */
void comparison__find_causes(struct comparison *comparison);

#endif
