/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which rows of an anatomy a table shows, and in which order.
 */
#ifndef FORKTAX_REPORT_ANATOMY_ANATOMY_PICKS_H
#define FORKTAX_REPORT_ANATOMY_ANATOMY_PICKS_H

#include "model/run.h"
#include "report/run/sort.h"

struct anatomy_pick {
	const struct anatomy_row *row;
	size_t number; /* its place in the order of occurrence, from 1 */
};

struct anatomy_picks {
	struct anatomy_pick *picks;
	size_t count;
	size_t left_out; /* rows that did not fit: those with the least time */
	/* Sums over the rows left out, and over all rows. */
	double left_out_faults, left_out_ns, faults, ns;
};

/*
 * The rows of a group (NO_GROUP: of the roots) in a phase, at most `most` of them. SORT_TIME: by
 * the time of all their faults, without those that have next to none; SORT_CALLS: by faults;
 * SORT_NAME: by place; every other key, in order of their first occurrence.
 */
struct anatomy_picks anatomy_picks__of(const struct run *run, uint32_t group, enum phase phase,
				       enum sort_key sort, size_t most);
void anatomy_picks__free(struct anatomy_picks *picks);

#endif
