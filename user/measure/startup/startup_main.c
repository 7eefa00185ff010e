// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/memory.h"
#include "elf/object.h"
#include "measure/startup/startup_parts.h"

static uint64_t find_main(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	for (size_t i = 0; data && i < count && gelf_getsym(data, i, &symbol); i++) {
		const char *name;

		if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && !strcmp(name, "main"))
			return symbol.st_value;
	}
	return 0;
}

uint64_t startup_main__distance(const char *path)
{
	struct elf_object object;
	Elf_Scn *section = NULL;
	uint64_t address = 0;
	char *reason = NULL;

	if (elf_object__open(&object, path, &reason) != ELF_OPENED) {
		free(reason);
		return 0;
	}
	while (!address && (section = elf_nextscn(object.elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			address = find_main(object.elf, section, &header);
	}
	/* Relative to the entry, so that it does not matter where the program is loaded. */
	if (address)
		address -= object.header.e_entry;
	elf_object__close(&object);
	return address;
}
