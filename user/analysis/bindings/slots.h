/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for places in a GOT: a slot is named after the symbol that it is for.
 */
#ifndef FORKTAX_ANALYSIS_BINDINGS_SLOTS_H
#define FORKTAX_ANALYSIS_BINDINGS_SLOTS_H

#include "analysis/bindings/got_file.h"
#include "model/anatomy.h"

/*
 * Names writes of ld.so to slots of one object "SYMBOL@got", instead of by the table's own symbol,
 * if any (such as _GLOBAL_OFFSET_TABLE_).
 */
void binding_slots__name(struct anatomy *anatomy, uint32_t object,
			 const struct linked_file *file);

#endif
