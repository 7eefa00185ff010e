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

/*
 * Is the instruction before this offset in the file a call? Else no function returns there. Also true
 * if that is unknown: code of another machine, or that cannot be read.
 */
bool elf_code__follows_call(const struct elf_object *object, uint64_t offset);
/*
 * The address of the word by which the call that ends at this address (virtual, of the file) reaches a function of
 * another object: of its PLT entry, or its own. 0: not known.
 */
uint64_t elf_code__slot_of_call(const struct elf_object *object, uint64_t address);

struct elf_relocation_type {
	uint32_t type;
	enum relocation_kind kind;
};

struct elf_machine {
	GElf_Half number; /* e_machine */
	const struct elf_relocation_type *types; /* the most frequent ones come first; all others are RELOC_OTHER */
	size_t type_count;
	uint32_t address_type; /* the relocation of a word that gets the address of a symbol, in data */
	/* Bytes at the thread pointer, behind which the TLS of a program begins; 0: it ends at the thread pointer. */
	uint64_t tls_head;
	/* Of call frames: DWARF numbers. */
	uint64_t stack_pointer, frame_pointer, word;
	int link; /* the register that has the address to return to when a function begins; 0: it is on the stack */
	uint64_t return_bits; /* of such an address; in others it may be signed. 0: all */
	uint64_t instruction; /* bytes of each; 0: they differ */
	/* Does this one set the frame pointer to the stack pointer plus a distance? NULL: tables say enough. */
	bool (*sets_frame_pointer)(const unsigned char *code, uint64_t *distance);
	/* Does the code before this offset in the file end with a call? Also true if it cannot be read. */
	bool (*follows_call)(const struct elf_object *object, uint64_t offset);
	/* The word with the target of the call that ends at this address, if it goes by a PLT or GOT; 0: not known. */
	uint64_t (*slot_of_call)(const struct elf_object *object, uint64_t address);
	/* Addresses of the words (of 64 bits) that code at this address loads; returns how many, at most `most`. */
	size_t (*loaded_words)(const unsigned char *code, size_t size, uint64_t address, uint64_t *words, size_t most);
};

extern const struct elf_machine elf_machine_x86_64, elf_machine_i386, elf_machine_aarch64;

/* By e_machine; NULL: another one, whose relocations and code are not known. */
const struct elf_machine *elf_machine__of(unsigned int number);

#endif
