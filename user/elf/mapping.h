/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From file offsets, as mappings have them, back to the addresses of the ELF file.
 */
#ifndef FORKTAX_ELF_MAPPING_H
#define FORKTAX_ELF_MAPPING_H

#include "elf/object.h"

/* As elf_symbols__address() of elf/symbols.h. */
bool elf_mapping__address(const struct elf_object *object, uint64_t offset, unsigned int rights,
			  uint64_t *address);

/*
 * The same for one segment alone, by index: how well it explains a mapping that has these rights
 * and holds that offset, and which virtual address the offset has then. 0: not at all. Of a whole
 * page several segments may hold a piece, so its offset does not tell which of them is mapped.
 */
int elf_mapping__score(const struct elf_object *object, size_t index, uint64_t offset,
		       unsigned int rights, uint64_t *address);

#endif
