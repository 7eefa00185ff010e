/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Symbols that children bind, by generation: what tables of them have in common.
 */
#ifndef FORKTAX_REPORT_ANATOMY_BOUND_LIST_H
#define FORKTAX_REPORT_ANATOMY_BOUND_LIST_H

#include "model/anatomy/anatomy.h"

/* A symbol in one generation of children; in all, if there is only one. */
struct bound {
	const struct binding_symbol *symbol;
	const struct sample *sample; /* NULL: not known */
	int generation;		     /* GENERATION_COUNT: all */
};

/* In the order of the run, by generation; to be freed. */
struct bound *bound_list__of(const struct anatomy *anatomy, size_t *count);

/* Recorded children of that generation that bound it, and all there are; 0: not known. */
uint64_t bound__children(const struct bound *bound);
uint64_t bound__of(const struct bound *bound);
/* "grandchildren"; "" for all. Static. */
const char *bound__whose(const struct bound *bound);

#endif
