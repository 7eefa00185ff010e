/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call stacks: names of their frames, and which of them can be believed.
 */
#ifndef FORKTAX_ANALYSIS_NAMES_STACK_NAMES_H
#define FORKTAX_ANALYSIS_NAMES_STACK_NAMES_H

#include "model/run.h"

/*
 * Fills section, symbol and symbol_offset of every frame in an object. Cuts stacks at the first frame that
 * is no address to return to, as there is no call before it: the function that should have saved the frame
 * pointer has used it for something else, and all that follows is made up. Stacks that are alike then become
 * one. After anatomy__resolve(), for live runs only. `run->anatomy->stacks` may be NULL.
 */
void stacks__resolve(struct run *run);

/* Makes stacks with the same frames and stop one, and forgets frames that no stack has. */
void stacks__merge(struct stacks *stacks);

#endif
