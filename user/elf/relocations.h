/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the dynamic linker has to relocate in one ELF file, from its dynamic tags alone
 * (DT_RELA/DT_REL, DT_RELR, DT_JMPREL), so that files without section headers are no exception.
 */
#ifndef FORKTAX_RELOCATIONS_H
#define FORKTAX_RELOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of enum relocation_kind of model/anatomy.h. */
enum elf_relocation_kind { ELF_RELATIVE, ELF_RELR, ELF_GLOB_DAT, ELF_JUMP_SLOT, ELF_IRELATIVE, ELF_COPY,
			   ELF_TLS, ELF_OTHER, ELF_RELOCATION_KINDS };

/* A word that gets the address of a symbol: JUMP_SLOT, GLOB_DAT, or 64-bit/32-bit symbolic. */
struct elf_slot {
	enum elf_relocation_kind kind;
	uint64_t address; /* of the word, virtual */
	char *symbol; /* without version; NULL: none */
};

struct elf_relocations {
	uint64_t counts[ELF_RELOCATION_KINDS];
	struct elf_slot *slots; /* in the order of the tables */
	size_t slot_count;
	bool slots_left_out; /* more than ELF_SLOTS_MOST */
	unsigned int word; /* bytes of a slot: 4 or 8 */
	bool lazy; /* JUMP_SLOTs exist and nothing asks for BIND_NOW */
	uint64_t relro_start, relro_end; /* PT_GNU_RELRO, virtual; 0, 0: none */
	uint64_t plt_start, plt_end; /* executable segment that holds the PLT: unbound slots point into it */
};

enum { ELF_SLOTS_MOST = 1 << 20 };

/* To be freed. NULL and a reason (to be freed) as elf_facts__read(). Static files have all zero. */
struct elf_relocations *elf_relocations__read(const char *path, char **reason);
void elf_relocations__free(struct elf_relocations *relocations); /* NULL is fine */

#endif
