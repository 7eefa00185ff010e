/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A difference of a few percent between two columns that only a setting of the environment, or their linkage, tells
 * apart: where memory lies can make one as well. So it needs a cause among what was counted.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_UNEXPLAINED_H
#define FORKTAX_ANALYSIS_COMPARE_UNEXPLAINED_H

#include "analysis/compare/comparison.h"

/* Is it one, of the column to the baseline? Calls that differ may take any time: then it is not. */
bool unexplained__is_asked(const struct comparison *comparison, size_t column);
/* Can they bind functions at different times: by a setting of ld.so, or how they are linked? */
bool unexplained__may_bind_otherwise(const struct comparison *comparison, size_t column);
/* Of all classes, how many faults more or fewer at most. */
double unexplained__faults(const struct comparison *comparison, size_t column);

/* Was it asked, and is the difference more than its explained_ns? */
bool comparison__is_unexplained(const struct comparison *comparison, size_t column);
/* What may be said of its time: a difference that is not explained is none. */
enum shown comparison__shows(const struct comparison *comparison, size_t column);

#endif
