/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From file offsets, as mappings have them, back to the addresses of the ELF file.
 */
#ifndef FORKTAX_ELF_MAPPING_H
#define FORKTAX_ELF_MAPPING_H

#include "elf/object.h"

/* Which rights a mapping has; 0 where it does not matter. */
enum elf_rights { ELF_READ = 1, ELF_WRITE = 2, ELF_EXEC = 4 };

/*
 * The virtual address that the ELF file gives to a file offset. Several segments may share a file
 * page: the one with the rights of the mapping wins (the RELRO part of a writable segment is mapped
 * read-only). Offsets behind the file part of the writable segment are its .bss. False: no segment
 * is mapped from there.
 */
bool elf_mapping__address(const struct elf_object *object, uint64_t offset, unsigned int rights, uint64_t *address);

/*
 * The same for one segment alone, by index: how well it explains a mapping that has these rights
 * and holds that offset, and which virtual address the offset has then. 0: not at all. Several
 * segments may each hold a piece of one page, so its offset does not tell which of them is mapped.
 */
int elf_mapping__score(const struct elf_object *object, size_t index, uint64_t offset,
		       unsigned int rights, uint64_t *address);

/*
 * Anonymous memory right behind the writable mapping of a file, whose offsets go on from there: up to
 * `end` it is the .bss of the segment mapped last, beyond that it belongs to somebody else.
 */
struct elf_bss {
	uint64_t begin, end; /* offsets of whole pages; the same: no page of .bss */
	uint64_t address;    /* virtual, of the offset asked about */
};

/* False: no writable segment has its file part before `offset`. */
bool elf_mapping__bss(const struct elf_object *object, uint64_t offset, struct elf_bss *bss);

#endif
