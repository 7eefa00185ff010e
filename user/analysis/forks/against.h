/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The breakdown of a command's fork beside that of another executable: where the difference lies.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_AGAINST_H
#define FORKTAX_ANALYSIS_FORKS_AGAINST_H

#include "analysis/forks/fork_breakdowns.h"

/* The breakdowns of one side, one element per run; borrowed. */
struct against_side {
	const struct fork_breakdowns *runs;
	size_t count;
};

/*
 * Compares the breakdowns of the group like `group` of `run` on both sides, line by line: medians
 * over the runs. NULL: one side has no such children. The caller fills `path` and `ns` of the
 * result.
 */
struct against *against__compare(const struct run *run, uint32_t group,
				 const struct against_side sides[2]);

#endif
