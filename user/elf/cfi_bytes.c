// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/cfi_bytes.h"

#include <string.h>

#include "base/autofree.h"
#include "elf/sections.h"

static uint64_t add(uint64_t sum, uint64_t more)
{
	return more > UINT64_MAX - sum ? UINT64_MAX : sum + more;
}

/* What a section takes that is unpacked when it is read. Those packed in the old way, or of 32 bits, are not known. */
static uint64_t unpacked(const struct elf_object *object, const GElf_Shdr *header, const char *name)
{
	Elf64_Chdr packed;

	if (!strncmp(name, ".zdebug", strlen(".zdebug")))
		return UINT64_MAX;
	if (!(header->sh_flags & SHF_COMPRESSED))
		return header->sh_size;
	return object->header.e_ident[EI_CLASS] == ELFCLASS64 &&
			       elf_object__read(object, header->sh_offset, &packed, sizeof(packed)) ?
		       add(header->sh_size, packed.ch_size) : UINT64_MAX;
}

struct cfi_bytes cfi_bytes__of(const struct elf_object *object)
{
	const GElf_Phdr *segment = elf_object__segment(object, PT_GNU_EH_FRAME);
	struct cfi_bytes bytes = { 0 };
	bool has_eh_frame = false;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(object->elf, section))) {
		autofree char *name = gelf_getshdr(section, &header) ? elf_sections__name(object, &header) : NULL;

		if (elf_ndxscn(section) == object->header.e_shstrndx) { /* both read the names */
			bytes.eh_frame = add(bytes.eh_frame, header.sh_size);
			bytes.debug = add(bytes.debug, header.sh_size);
		}
		if (!name)
			continue;
		if (!strncmp(name, ".eh_frame", strlen(".eh_frame")))
			bytes.eh_frame = add(bytes.eh_frame, header.sh_size);
		if (strstr(name, "debug"))
			bytes.debug = add(bytes.debug, unpacked(object, &header, name));
		has_eh_frame |= !strcmp(name, ".eh_frame");
	}
	/* Without that section all is read from where the header says up to the end of the file. */
	if (!has_eh_frame && segment)
		bytes.eh_frame = add(add(bytes.eh_frame, segment->p_filesz), (uint64_t)object->stat.st_size);
	return bytes;
}
