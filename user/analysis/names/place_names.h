/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for the places of an anatomy: which section and which symbol of its file each lies in.
 */
#ifndef FORKTAX_ANALYSIS_NAMES_PLACE_NAMES_H
#define FORKTAX_ANALYSIS_NAMES_PLACE_NAMES_H

#include "elf/object.h"
#include "model/run.h"

/*
 * Fills section, symbol and symbol_offset of every place in an object, and `changed` of objects
 * whose path names no longer the file that was mapped: in those nothing is looked up, nor in
 * objects without a path and in files that are not ELF. Places outside objects (heap, stack, TLS,
 * vdso, anonymous) have no names. A place behind the .bss that the file states becomes anonymous
 * (below). For live runs only, once, before bindings__find(): the files of another machine are other
 * files. A note tells of files that code ran from and that could not be read.
 *
 * Returns whether a file was recognised by its inode alone (file_identity.h).
 */
bool anatomy__resolve(struct run *run);

/*
 * .bss. The source can say of anonymous memory only that it lies right behind the writable
 * mapping of an object (PLACE_BSS, offsets going on from there); how much of it is the object's .bss
 * its file says. The rest is memory of somebody else (ld.so maps some there): anonymous.
 */

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
