/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the dynamic linker has to relocate in one ELF file, from its dynamic tags alone
 * (DT_RELA/DT_REL, DT_RELR, DT_JMPREL), so that files without section headers are no exception.
 * Static programs have no dynamic tags; theirs (IRELATIVE) are found by section headers only.
 */
#ifndef FORKTAX_ELF_RELOCATIONS_H
#define FORKTAX_ELF_RELOCATIONS_H

#include "elf/file.h"
#include "elf/records.h"
#include "relocation_kind.h"

/* A word that gets the address of a symbol. */
struct elf_slot {
	enum relocation_kind kind; /* JUMP_SLOT, GLOB_DAT; OTHER: the address of a symbol, in data */
	uint64_t address;	   /* of the word, virtual */
	char *symbol;		   /* without version; NULL: none */
};

struct elf_relocations {
	uint64_t counts[RELOC_KIND_COUNT]; /* words, not table entries, of RELR */
	struct elf_slot *slots;		   /* in the order of the file: RELA or REL, JMPREL */
	const struct elf_slot **by_address; /* the same, sorted */
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
 * The file's own, for as long as it is open. NULL and a reason (the file's own, too) if it is not
 * ELF, unreadable, or contradicts itself.
 */
const struct elf_relocations *elf_relocations__of(struct elf_file *file, const char **reason);

/*
 * Calls `each` with those of the dynamic tags, except RELR, which name no symbol. False and a reason, to
 * be freed, if they cannot be read.
 */
typedef void elf_rel_fn(void *context, const struct elf_rel *rel);
bool elf_relocations__walk(const struct elf_object *object, elf_rel_fn *each, void *context, char **reason);

/* Index among `by_address` of the first slot at or after a virtual address; slot_count: none. */
size_t elf_relocations__first_slot(const struct elf_relocations *relocations, uint64_t address);

/* By type, as r_info has it for `machine` (e_machine). */
enum relocation_kind elf_relocation__kind(unsigned int machine, uint32_t type);
/* Whether the word gets the address of the relocation's symbol and nothing else. */
bool elf_relocation__is_slot(unsigned int machine, uint32_t type);

/* Fills plt_start and plt_end by the slots, which are there already. */
void elf_plt__find(struct elf_relocations *relocations, const struct elf_object *object);

#endif
