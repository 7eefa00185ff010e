// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/relocations.h"

static enum relocation_kind x86_64_kind(uint32_t type)
{
	switch (type) {
	case R_X86_64_RELATIVE:
	case R_X86_64_RELATIVE64:
		return RELOC_RELATIVE;
	case R_X86_64_GLOB_DAT:
		return RELOC_GLOB_DAT;
	case R_X86_64_JUMP_SLOT:
		return RELOC_JUMP_SLOT;
	case R_X86_64_IRELATIVE:
		return RELOC_IRELATIVE;
	case R_X86_64_COPY:
		return RELOC_COPY;
	case R_X86_64_DTPMOD64:
	case R_X86_64_DTPOFF64:
	case R_X86_64_TPOFF64:
	case R_X86_64_DTPOFF32:
	case R_X86_64_TPOFF32:
	case R_X86_64_TLSDESC:
		return RELOC_TLS;
	default:
		return RELOC_OTHER;
	}
}

static enum relocation_kind i386_kind(uint32_t type)
{
	switch (type) {
	case R_386_RELATIVE:
		return RELOC_RELATIVE;
	case R_386_GLOB_DAT:
		return RELOC_GLOB_DAT;
	case R_386_JMP_SLOT:
		return RELOC_JUMP_SLOT;
	case R_386_IRELATIVE:
		return RELOC_IRELATIVE;
	case R_386_COPY:
		return RELOC_COPY;
	case R_386_TLS_TPOFF:
	case R_386_TLS_TPOFF32:
	case R_386_TLS_DTPMOD32:
	case R_386_TLS_DTPOFF32:
	case R_386_TLS_DESC:
		return RELOC_TLS;
	default:
		return RELOC_OTHER;
	}
}

enum relocation_kind elf_relocation__kind(unsigned int machine, uint32_t type)
{
	if (machine == EM_X86_64)
		return x86_64_kind(type);
	if (machine == EM_386)
		return i386_kind(type);
	return RELOC_OTHER;
}

bool elf_relocation__is_slot(unsigned int machine, uint32_t type)
{
	enum relocation_kind kind = elf_relocation__kind(machine, type);

	if (kind == RELOC_JUMP_SLOT || kind == RELOC_GLOB_DAT)
		return true;
	return (machine == EM_X86_64 && type == R_X86_64_64) ||
	       (machine == EM_386 && type == R_386_32);
}
