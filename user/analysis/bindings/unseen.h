/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether all that children bound can be known: whether every page with slots that waited, and that
 * a child made its own, was compared.
 */
#ifndef FORKTAX_ANALYSIS_BINDINGS_UNSEEN_H
#define FORKTAX_ANALYSIS_BINDINGS_UNSEEN_H

#include "analysis/bindings/got_file.h"
#include "model/run.h"

/* Before all objects: `unseen_pages` of samples is 0, or ABSENT where faults of children are missing. */
void bindings_unseen__begin(struct anatomy *anatomy);
/* Adds pages of one object; `file` is NULL if it cannot be read. */
void bindings_unseen__add(struct run *run, uint32_t object, struct linked_file *file);

#endif
