/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The bills of all groups of a run, ranked: the order in which groups deserve a look, for advice
 * and reports alike. Made once for a run, and handed on.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_FORK_BILLS_H
#define FORKTAX_ANALYSIS_FORKS_FORK_BILLS_H

#include "analysis/forks/fork_bill.h"

struct fork_bills {
	const struct run *run; /* borrowed */
	/*
	 * One per group with recorded children, by the tax of all its forks, largest first; if no tax
	 * is known in the whole run, by the number of forks.
	 */
	struct fork_bill *bills;
	size_t count;
	/* How many of the first deserve a look: at most three, each with a tenth of all tax. */
	size_t worthy;
	bool taxed; /* the tax of some group is known */
	double tax; /* of all forks, ns */
};

/* None for a run without anatomy. Calibrate first (fork_bill.h). */
struct fork_bills fork_bills__of(const struct run *run);
void fork_bills__free(struct fork_bills *bills);

/* NULL: no child of the group was recorded. */
const struct fork_bill *fork_bills__find(const struct fork_bills *bills, uint32_t group);
/* The one with the largest tax of all forks; NULL: no tax is known. */
const struct fork_bill *fork_bills__dearest(const struct fork_bills *bills);

/* Tax of all forks of the group, ns; 0: not known. */
double fork_bill__tax_of_all(const struct fork_bill *bill);

#endif
