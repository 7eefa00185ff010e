/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the procedure linkage table of an ELF file is.
 */
#ifndef FORKTAX_ELF_PLT_H
#define FORKTAX_ELF_PLT_H

#include "elf/object.h"
#include "elf/relocations.h"

/* Fills plt_start and plt_end by the slots, which are there already. */
void elf_plt__find(struct elf_relocations *out, const struct elf_object *object);

#endif
