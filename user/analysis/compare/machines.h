/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs of two kinds of machines, or with pages of two sizes: what can be compared. A fault is one of a page, so numbers
 * of faults and pages of another size say nothing beside each other, and times of another machine neither.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_MACHINES_H
#define FORKTAX_ANALYSIS_COMPARE_MACHINES_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/run_fact.h"

/* Are the columns of several kinds of machines? What a run does not say (a log of strace) is no difference. */
bool machines__differ(const struct compare_column *columns, size_t count);
/* May the fact be compared where they differ: has each of them that call, or is it one of processes? */
bool machines__share(const struct compare_column *columns, size_t count, const struct run_fact *fact);
/* Where they differ: which machines these are, and what is compared. A sentence, to be freed. */
char *machines__words(const struct compare_column *columns, size_t count);

#endif
