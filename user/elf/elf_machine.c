// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/elf_machine.h"

#include "elf/relocations.h"

bool elf_code__follows_call(const struct elf_object *object, uint64_t offset)
{
	const struct elf_machine *machine = elf_machine__of(object->header.e_machine);

	return !machine || machine->follows_call(object, offset);
}

uint64_t elf_code__slot_of_call(const struct elf_object *object, uint64_t address)
{
	const struct elf_machine *machine = elf_machine__of(object->header.e_machine);

	return machine && machine->slot_of_call ? machine->slot_of_call(object, address) : 0;
}

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

static const struct elf_machine *const machines[] = { &elf_machine_x86_64, &elf_machine_aarch64, &elf_machine_i386 };

const struct elf_machine *elf_machine__of(unsigned int number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i]->number == number)
			return machines[i];
	return NULL;
}
