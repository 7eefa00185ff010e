/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The breakdowns of all groups of a run, ranked: the order in which groups deserve a look, for
 * advice and reports alike. Made once for a run, and handed on.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_FORK_BREAKDOWNS_H
#define FORKTAX_ANALYSIS_FORKS_FORK_BREAKDOWNS_H

#include "analysis/forks/fork_breakdown.h"

struct fork_breakdowns {
	const struct run *run; /* borrowed */
	/*
	 * One per group with recorded children, by the overhead of all its forks, largest first; if no overhead
	 * is known in the whole run, by the number of forks.
	 */
	struct fork_breakdown *breakdowns;
	size_t count;
	/*
	 * How many of the first deserve a look: at most three, each with a tenth of all overhead.
	 */
	size_t worthy;
	bool has_overhead; /* the overhead of some group is known */
	double overhead; /* of all forks, ns */
};

/* None for a run without anatomy. Calibrate first (fork_breakdown.h). */
struct fork_breakdowns fork_breakdowns__of(const struct run *run);
void fork_breakdowns__free(struct fork_breakdowns *breakdowns);

/* NULL: no child of the group was recorded. */
const struct fork_breakdown *fork_breakdowns__find(const struct fork_breakdowns *breakdowns, uint32_t group);
/* The one with the largest overhead of all forks; NULL: no overhead is known. */
const struct fork_breakdown *fork_breakdowns__costliest(const struct fork_breakdowns *breakdowns);

/* Overhead of all forks of the group, ns; 0: not known. */
double fork_breakdown__overhead_of_all(const struct fork_breakdown *breakdown);

#endif
