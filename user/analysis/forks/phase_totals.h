/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kernel's own counts of a phase, which the rows of the anatomy must add up to.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_PHASE_TOTALS_H
#define FORKTAX_ANALYSIS_FORKS_PHASE_TOTALS_H

#include "model/run/run.h"

/* The counts of one phase of a group. */
struct phase_totals {
	double children; /* recorded ones: what counts are divided by */
	double total; /* faults; NAN: the kernel does not count this phase apart */
	double unattributed, missed, beyond;
	double unsampled; /* phase EXEC only: after forks of children that are not recorded */
};

struct phase_totals phase_totals__of(const struct run *run, uint32_t group, enum phase phase);
/*
 * The part of the total that neither rows (`faults` in sum) nor the other totals explain. In exec'd
 * images these are copies made as a parent, which are listed with the children.
 */
double phase_totals__rest(const struct phase_totals *totals, double faults);

#endif
