// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/elf_machine.h"
#include "elf/relocations.h"

enum relocation_kind elf_relocation__kind(unsigned int machine, uint32_t type)
{
	const struct elf_machine *known = elf_machine__of(machine);

	for (size_t i = 0; known && i < known->type_count; i++)
		if (known->types[i].type == type)
			return known->types[i].kind;
	return RELOC_OTHER;
}

bool elf_relocation__is_slot(unsigned int machine, uint32_t type)
{
	const struct elf_machine *known = elf_machine__of(machine);
	enum relocation_kind kind = elf_relocation__kind(machine, type);

	return kind == RELOC_JUMP_SLOT || kind == RELOC_GLOB_DAT || (known && type == known->address_type);
}
