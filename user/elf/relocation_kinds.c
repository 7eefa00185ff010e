// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/relocations.h"

/* All others are RELOC_OTHER. The most frequent ones come first. */
static const struct {
	unsigned int machine;
	uint32_t type;
	enum relocation_kind kind;
} kinds[] = {
	{ EM_X86_64, R_X86_64_RELATIVE, RELOC_RELATIVE },
	{ EM_X86_64, R_X86_64_JUMP_SLOT, RELOC_JUMP_SLOT },
	{ EM_X86_64, R_X86_64_GLOB_DAT, RELOC_GLOB_DAT },
	{ EM_X86_64, R_X86_64_RELATIVE64, RELOC_RELATIVE },
	{ EM_X86_64, R_X86_64_IRELATIVE, RELOC_IRELATIVE },
	{ EM_X86_64, R_X86_64_COPY, RELOC_COPY },
	{ EM_X86_64, R_X86_64_DTPMOD64, RELOC_TLS },
	{ EM_X86_64, R_X86_64_DTPOFF64, RELOC_TLS },
	{ EM_X86_64, R_X86_64_TPOFF64, RELOC_TLS },
	{ EM_X86_64, R_X86_64_DTPOFF32, RELOC_TLS },
	{ EM_X86_64, R_X86_64_TPOFF32, RELOC_TLS },
	{ EM_X86_64, R_X86_64_TLSDESC, RELOC_TLS },
	{ EM_386, R_386_RELATIVE, RELOC_RELATIVE },
	{ EM_386, R_386_JMP_SLOT, RELOC_JUMP_SLOT },
	{ EM_386, R_386_GLOB_DAT, RELOC_GLOB_DAT },
	{ EM_386, R_386_IRELATIVE, RELOC_IRELATIVE },
	{ EM_386, R_386_COPY, RELOC_COPY },
	{ EM_386, R_386_TLS_TPOFF, RELOC_TLS },
	{ EM_386, R_386_TLS_TPOFF32, RELOC_TLS },
	{ EM_386, R_386_TLS_DTPMOD32, RELOC_TLS },
	{ EM_386, R_386_TLS_DTPOFF32, RELOC_TLS },
	{ EM_386, R_386_TLS_DESC, RELOC_TLS },
};

enum relocation_kind elf_relocation__kind(unsigned int machine, uint32_t type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return kinds[i].kind;
	return RELOC_OTHER;
}

bool elf_relocation__is_slot(unsigned int machine, uint32_t type)
{
	enum relocation_kind kind = elf_relocation__kind(machine, type);

	return kind == RELOC_JUMP_SLOT || kind == RELOC_GLOB_DAT ||
	       (machine == EM_X86_64 && type == R_X86_64_64) ||
	       (machine == EM_386 && type == R_386_32);
}
