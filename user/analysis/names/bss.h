/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is .bss. The source can say of anonymous memory only that it lies right behind the writable
 * mapping of an object (PLACE_BSS, offsets going on from there); how much of it is the object's .bss
 * its file says. The rest is memory of somebody else (ld.so maps some there): anonymous.
 */
#ifndef FORKTAX_ANALYSIS_NAMES_BSS_H
#define FORKTAX_ANALYSIS_NAMES_BSS_H

#include "elf/object.h"
#include "model/run.h"

/*
 * Decides about a place of kind PLACE_BSS. True: it is in the .bss, at this virtual address. False:
 * it is not, and becomes anonymous, its offset counted from where the file part ends; it stays what
 * it was if the object has no writable segment before it.
 */
bool place__settle_bss(struct place *place, const struct elf_object *object, uint64_t *address);

/*
 * Parts such mappings of all layouts into .bss and anonymous memory; where the file cannot be read,
 * or is another one now, they stay. For live runs only, after anatomy__resolve(), before
 * bindings__find().
 */
void layouts__part_bss(struct anatomy *anatomy);

#endif
