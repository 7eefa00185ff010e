/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several builds, or any commands, side by side: one column each. What was measured goes in,
 * rows of figures come out; the same input always gives the same rows.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_COMPARISON_H
#define FORKTAX_ANALYSIS_COMPARE_COMPARISON_H

#include "analysis/compare/compare_rows.h"

/* Takes over the columns. */
struct comparison *comparison__new(struct compare_column *columns, size_t count, size_t baseline);
void comparison__free(struct comparison *comparison); /* NULL is fine */

/* Of the untraced times by the clock that decides: of the column minus the baseline, paired. */
struct estimate comparison__difference(const struct comparison *comparison, size_t column);

/*
 * That others used the CPUs and, if wall time decides, how many untraced runs that disturbed: a sentence, to be freed;
 * NULL: neither.
 */
char *comparison__disturbance(const struct comparison *comparison);

#endif
