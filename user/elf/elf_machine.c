// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/elf_machine.h"

static const struct elf_machine *const machines[] = { &elf_machine_x86_64, &elf_machine_aarch64, &elf_machine_i386 };

const struct elf_machine *elf_machine__of(unsigned int number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i]->number == number)
			return machines[i];
	return NULL;
}
