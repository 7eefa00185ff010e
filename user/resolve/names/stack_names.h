/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call stacks: names of their frames, and which of them can be believed.
 */
#ifndef FORKTAX_RESOLVE_NAMES_STACK_NAMES_H
#define FORKTAX_RESOLVE_NAMES_STACK_NAMES_H

#include "model/run/run.h"

/*
 * Fills section, symbol and symbol_offset of every frame in an object, and keeps of each stack the frames that
 * can be believed: the files say where each function has its frame, and whether there is a call before an
 * address to return to. `objects` are those that places refer to, as anatomy__resolve() leaves them. For live
 * runs only.
 */
void stacks__resolve(struct stacks *stacks, const struct object *objects, size_t object_count);

/* Makes stacks with the same frames and stop one, and forgets frames that no stack has. */
void stacks__merge(struct stacks *stacks);

#endif
