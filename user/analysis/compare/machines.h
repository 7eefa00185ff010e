/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Columns of two kinds of machines, or with pages of two sizes, are not compared. A fault is one of a page, so numbers
 * of faults and pages of another size say nothing beside each other, and times of another machine neither.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_MACHINES_H
#define FORKTAX_ANALYSIS_COMPARE_MACHINES_H

#include "analysis/compare/compare_column.h"

/*
 * "a.json ran on x86_64, b.json on aarch64", to be freed; NULL: all ran on one kind. What a run does not say (a log of
 * strace) is no difference.
 */
char *machines__difference(const struct compare_column *columns, size_t count);

#endif
