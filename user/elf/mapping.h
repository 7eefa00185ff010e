/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From file offsets, as mappings have them, back to the addresses of the ELF file.
 */
#ifndef FORKTAX_MAPPING_H
#define FORKTAX_MAPPING_H

#include "elf/object.h"

/* As elf_symbols__address() of elf/symbols.h. */
bool elf_mapping__address(const struct elf_object *object, uint64_t offset, unsigned int rights,
			  uint64_t *address);

#endif
