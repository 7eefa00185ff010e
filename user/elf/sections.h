/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for the parts of an ELF file in memory.
 */
#ifndef FORKTAX_ELF_SECTIONS_H
#define FORKTAX_ELF_SECTIONS_H

#include "elf/object.h"

struct elf_section {
	uint64_t start, end; /* virtual */
	const char *name;    /* owned by the list if `named` */
	bool named;
};

struct elf_sections {
	struct elf_section *list; /* the first that holds an address names it */
	size_t count;
};

/* By section headers; without any the list stays empty. */
void elf_sections__read(struct elf_sections *sections, const struct elf_object *object);
void elf_sections__free(struct elf_sections *sections);

/* The section that holds `address`, or NULL. */
const struct elf_section *elf_sections__at(const struct elf_sections *sections, uint64_t address);

/* Adds a section. Its name is static, or, with `named`, taken over by the list. */
void elf_sections__add(struct elf_sections *sections, uint64_t start, uint64_t size, const char *name, bool named);

/*
 * For files without section headers: what dynamic tags and program headers point to gets the name
 * that linkers give it. The rest of a segment is named after the segment, in brackets: "[code]",
 * "[relro]", "[data]", "[constants]"; what lies behind its file part is ".bss".
 */
void elf_sections__add_by_tags(struct elf_sections *sections, const struct elf_object *object);

/* The first section header of that type (SHT_...); false: there is none. */
bool elf_sections__of_type(const struct elf_object *object, uint32_t type, GElf_Shdr *header);
/* The same of a symbol table (SHT_SYMTAB, SHT_DYNSYM) that has a string table, with that table. */
bool elf_sections__symbols(const struct elf_object *object, uint32_t type, GElf_Shdr *table, GElf_Shdr *strings);
/* The same by name. */
bool elf_sections__of_name(const struct elf_object *object, const char *name, GElf_Shdr *header);
/* The name of a section, to be freed; NULL: it has none. */
char *elf_sections__name(const struct elf_object *object, const GElf_Shdr *header);

#endif
