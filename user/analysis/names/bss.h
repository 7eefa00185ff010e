/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The source takes all anonymous memory right behind an object for its .bss. How much of it is
 * one, the file says.
 */
#ifndef FORKTAX_ANALYSIS_NAMES_BSS_H
#define FORKTAX_ANALYSIS_NAMES_BSS_H

#include "model/run.h"

/*
 * Parts such mappings of all layouts into .bss and anonymous memory; where the file cannot be read,
 * or is another one now, they stay. For live runs only, after anatomy__resolve(), before
 * bindings__find().
 */
void layouts__part_bss(struct anatomy *anatomy);

#endif
