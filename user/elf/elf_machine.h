/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What differs between the machines that an ELF file can be for: a file machine_NAME.c for each family. Files of all of
 * them are read on each of them.
 */
#ifndef FORKTAX_ELF_ELF_MACHINE_H
#define FORKTAX_ELF_ELF_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/object.h"
#include "relocation_kind.h"

struct elf_relocation_type {
	uint32_t type;
	enum relocation_kind kind;
};

struct elf_machine {
	GElf_Half number; /* e_machine */
	const struct elf_relocation_type *types; /* the most frequent ones come first; all others are RELOC_OTHER */
	size_t type_count;
	uint32_t address_type; /* the relocation of a word that gets the address of a symbol, in data */
	/* Of call frames whose caller is on the stack when a function begins: DWARF numbers; word 0: none */
	uint64_t stack_pointer, frame_pointer, word;
	/* Does the code before this offset in the file end with a call? Also true if it cannot be read. */
	bool (*follows_call)(const struct elf_object *object, uint64_t offset);
};

extern const struct elf_machine elf_machine_x86_64, elf_machine_i386, elf_machine_aarch64;

/* By e_machine; NULL: another one, whose relocations and code are not known. */
const struct elf_machine *elf_machine__of(unsigned int number);

#endif
