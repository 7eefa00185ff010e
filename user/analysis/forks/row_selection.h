/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rows of an anatomy that a table has room for, in order.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_ROW_SELECTION_H
#define FORKTAX_ANALYSIS_FORKS_ROW_SELECTION_H

#include "model/run/run.h"

struct selected_row {
	const struct anatomy_row *row;
	size_t number; /* its place in the order of occurrence, from 1 */
};

struct row_selection {
	struct selected_row *rows; /* owned */
	size_t count;
	size_t left_out; /* rows that did not fit: the ones with the least time */
	/* Sums over the rows left out, and over all rows. */
	double left_out_faults, left_out_ns, faults, ns;
};

enum row_order { ROWS_BY_OCCURRENCE, ROWS_BY_TIME };

/*
 * Up to `most` rows of a group (NO_GROUP: the roots) in a phase: the ones with the most time.
 * If that is not all of them, ROWS_BY_TIME also leaves out rows with next to no time.
 */
struct row_selection row_selection__of(const struct anatomy *anatomy, uint32_t group,
				       enum phase phase, enum row_order order, size_t most);
void row_selection__free(struct row_selection *selection);

#endif
