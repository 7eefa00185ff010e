/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One fork of a command beside one of another executable of it: where the difference goes.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_AGAINST_H
#define FORKTAX_ANALYSIS_FORKS_AGAINST_H

#include "analysis/forks/fork_bills.h"

/* The bills of the runs of one side, one element for each run; borrowed. */
struct against_side {
	const struct fork_bills *runs;
	size_t count;
};

/*
 * The bills of the group of the first side that is like `group` of `run`, and of that of the other
 * side, line by line: medians over the runs. NULL: one side has no such children. `path`, `ns` of
 * the result are the caller's to fill.
 */
struct against *against__compare(const struct run *run, uint32_t group,
				 const struct against_side sides[2]);

#endif
