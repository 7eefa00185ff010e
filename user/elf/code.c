// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/code.h"

#include "elf/elf_machine.h"

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
