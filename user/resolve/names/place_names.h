/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for the places of an anatomy: the section and the symbol of the file that each lies in.
 */
#ifndef FORKTAX_RESOLVE_NAMES_PLACE_NAMES_H
#define FORKTAX_RESOLVE_NAMES_PLACE_NAMES_H

#include "model/run/run.h"

struct elf_object;

/*
 * Fills section, symbol and symbol_offset of every place in an object. Sets `changed` of objects
 * whose path no longer names the file that was mapped, and looks up nothing in these, in objects
 * without a path, or in files that are not ELF. Places outside objects (heap, stack, TLS, vdso,
 * anonymous) have no names. A place behind the file's .bss becomes anonymous (below). For live runs
 * only, once, before bindings__find(): another machine has other files. A note lists files that
 * code ran from but that could not be read.
 *
 * Returns whether a file was recognised by its inode alone (file_identity.h).
 */
bool anatomy__resolve(struct run *run);

/*
 * .bss. The source only knows that anonymous memory lies right behind the writable mapping of an
 * object (PLACE_BSS; offsets continue from there). The file says how much of it is .bss. The rest
 * belongs to somebody else (ld.so maps some there) and is anonymous.
 */

/*
 * Decides about a place of kind PLACE_BSS. True: it is in .bss, at the stored virtual address.
 * False: it is not, and becomes anonymous, with its offset counted from the end of the file part; it
 * stays as it was if the object has no writable segment before it.
 */
bool place__settle_bss(struct place *place, const struct elf_object *object, uint64_t *address);

/*
 * Parts such mappings of all layouts into .bss and anonymous memory. They stay as they are if the
 * file cannot be read or has changed. For live runs only, after anatomy__resolve(), before
 * bindings__find().
 */
void layouts__part_bss(struct anatomy *anatomy);

#endif
