/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the dynamic linker has to relocate in one ELF file, from its dynamic tags alone
 * (DT_RELA/DT_REL, DT_RELR, DT_JMPREL), so that files without section headers are no exception.
 * Static programs have no dynamic tags; theirs (IRELATIVE) are found by section headers only.
 */
#ifndef FORKTAX_ELF_RELOCATIONS_H
#define FORKTAX_ELF_RELOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of enum relocation_kind of model/anatomy.h. */
enum elf_relocation_kind {
	ELF_RELATIVE,
	ELF_RELR, /* a relative one, packed */
	ELF_GLOB_DAT,
	ELF_JUMP_SLOT,
	ELF_IRELATIVE,
	ELF_COPY,
	ELF_TLS,
	ELF_OTHER, /* those of other machines than x86, too, except RELR */
	ELF_RELOCATION_KINDS
};

/* A word that gets the address of a symbol. */
struct elf_slot {
	enum elf_relocation_kind kind; /* JUMP_SLOT, GLOB_DAT; OTHER: R_X86_64_64, R_386_32 */
	uint64_t address;	       /* of the word, virtual */
	char *symbol;		       /* without version; NULL: none */
};

struct elf_relocations {
	uint64_t counts[ELF_RELOCATION_KINDS]; /* words, not table entries, of RELR */
	struct elf_slot *slots;		       /* in the order of the file: RELA or REL, JMPREL */
	size_t slot_count;
	bool slots_left_out;		 /* more than ELF_SLOTS_MOST, or 64 MiB of names */
	unsigned int word;		 /* bytes of a slot: 4 or 8 */
	bool lazy;			 /* JUMP_SLOTs wait for their first call: no BIND_NOW, not ld.so */
	uint64_t relro_start, relro_end; /* PT_GNU_RELRO, virtual; 0, 0: none */
	/* Executable segment that holds the PLT: unbound slots point into it; 0, 0: no JUMP_SLOT */
	uint64_t plt_start, plt_end;
};

enum { ELF_SLOTS_MOST = 1 << 20 };

/*
 * To be freed. NULL and a reason (to be freed) if the file is not ELF, unreadable, or contradicts
 * itself.
 */
struct elf_relocations *elf_relocations__read(const char *path, char **reason);
void elf_relocations__free(struct elf_relocations *relocations); /* NULL is fine */

#endif
