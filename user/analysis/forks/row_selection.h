/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Some rows of an anatomy, in order: what a table has room for.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_ROW_SELECTION_H
#define FORKTAX_ANALYSIS_FORKS_ROW_SELECTION_H

#include "model/run.h"

struct selected_row {
	const struct anatomy_row *row;
	size_t number; /* its place in the order of occurrence, from 1 */
};

struct row_selection {
	struct selected_row *rows; /* owned */
	size_t count;
	size_t left_out; /* rows that did not fit: those with the least time */
	/* Sums over the rows left out, and over all rows. */
	double left_out_faults, left_out_ns, faults, ns;
};

enum row_order { ROWS_BY_OCCURRENCE, ROWS_BY_TIME, ROWS_BY_FAULTS, ROWS_BY_PLACE };

/*
 * The rows of a group (NO_GROUP: of the roots) in a phase, at most `most` of them: those with the
 * most time. ROWS_BY_TIME leaves out those that have next to none, too.
 */
struct row_selection row_selection__of(const struct anatomy *anatomy, uint32_t group,
				       enum phase phase, enum row_order order, size_t most);
void row_selection__free(struct row_selection *selection);

#endif
