/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A layout is read a moment after the fork that it stands for. What the parent has bound meanwhile
 * was unbound when the child was born.
 */
#ifndef FORKTAX_ANALYSIS_BINDINGS_LATE_GOT_H
#define FORKTAX_ANALYSIS_BINDINGS_LATE_GOT_H

#include "analysis/bindings/got_file.h"
#include "analysis/bindings/got_pages.h"

/* An object in a layout. */
struct loaded {
	const struct anatomy *anatomy;
	const struct layout *layout;
	uint32_t object;
	struct linked_file *file;
	uint64_t bias;
	const struct ldso_writes *writes; /* of the object */
};

/*
 * Was this slot, bound in the layout, bound only after the fork? Two witnesses: a child that
 * inherited it unbound (got_pages), and the first fault that ld.so took on the slot's page in the
 * parent after the fork, which was at this slot.
 */
bool loaded__bound_late(const struct loaded *loaded, const struct elf_slot *slot);

#endif
