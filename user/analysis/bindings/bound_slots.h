/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Symbols that children bind, see bindings.h.
 */
#ifndef FORKTAX_ANALYSIS_BINDINGS_BOUND_SLOTS_H
#define FORKTAX_ANALYSIS_BINDINGS_BOUND_SLOTS_H

#include "analysis/bindings/got_file.h"
#include "model/run.h"

/* Adds the symbols that children bound in the slots of one object. */
void binding_symbols__add(struct run *run, uint32_t object, struct linked_file *file);
void binding_symbols__sort(struct anatomy *anatomy);

#endif
