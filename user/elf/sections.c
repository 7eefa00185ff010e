// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/sections.h"

#include "base/memory.h"

void elf_sections__add(struct elf_sections *sections, uint64_t start, uint64_t size, const char *name, bool named)
{
	uint64_t end = size > UINT64_MAX - start ? UINT64_MAX : start + size;

	sections->list = checked_grow(sections->list, sections->count, sizeof(*sections->list));
	sections->list[sections->count++] = (struct elf_section){ start, end, name, named };
}

/* libelf would read all names at once, however large their section claims to be. */
char *elf_sections__name(const struct elf_object *object, const GElf_Shdr *header)
{
	GElf_Shdr names;

	if (!gelf_getshdr(elf_getscn(object->elf, object->header.e_shstrndx), &names) ||
	    header->sh_name >= names.sh_size || names.sh_offset > UINT64_MAX - header->sh_name)
		return NULL;
	return elf_object__string(object, names.sh_offset + header->sh_name, names.sh_size - header->sh_name);
}

bool elf_sections__of_type(const struct elf_object *object, uint32_t type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(object->elf, section))) {
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return true;
	}
	return false;
}

bool elf_sections__symbols(const struct elf_object *object, uint32_t type, GElf_Shdr *table, GElf_Shdr *strings)
{
	return elf_sections__of_type(object, type, table) &&
	       gelf_getshdr(elf_getscn(object->elf, table->sh_link), strings) && strings->sh_type == SHT_STRTAB;
}

bool elf_sections__of_name(const struct elf_object *object, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(object->elf, section))) {
		char *text = gelf_getshdr(section, header) ? elf_sections__name(object, header) : NULL;
		bool found = text && !strcmp(text, name);

		free(text);
		if (found)
			return true;
	}
	return false;
}

/* .tbss has an address, but takes no room there. */
static bool is_in_memory(const GElf_Shdr *header)
{
	return (header->sh_flags & SHF_ALLOC) && header->sh_size &&
	       !((header->sh_flags & SHF_TLS) && header->sh_type == SHT_NOBITS);
}

void elf_sections__read(struct elf_sections *sections, const struct elf_object *object)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	*sections = (struct elf_sections){ 0 };
	while ((section = elf_nextscn(object->elf, section))) {
		char *name = gelf_getshdr(section, &header) && is_in_memory(&header)
				     ? elf_sections__name(object, &header)
				     : NULL;

		if (name && *name)
			elf_sections__add(sections, header.sh_addr, header.sh_size, name, true);
		else
			free(name);
	}
}

void elf_sections__free(struct elf_sections *sections)
{
	for (size_t i = 0; i < sections->count; i++) {
		if (sections->list[i].named)
			free((char *)sections->list[i].name);
	}
	free(sections->list);
}

const struct elf_section *elf_sections__at(const struct elf_sections *sections, uint64_t address)
{
	for (size_t i = 0; i < sections->count; i++) {
		if (address >= sections->list[i].start && address < sections->list[i].end)
			return &sections->list[i];
	}
	return NULL;
}
