// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/elf_machine.h"

static const struct elf_relocation_type types_x86_64[] = {
	{ R_X86_64_RELATIVE, RELOC_RELATIVE },
	{ R_X86_64_JUMP_SLOT, RELOC_JUMP_SLOT },
	{ R_X86_64_GLOB_DAT, RELOC_GLOB_DAT },
	{ R_X86_64_RELATIVE64, RELOC_RELATIVE },
	{ R_X86_64_IRELATIVE, RELOC_IRELATIVE },
	{ R_X86_64_COPY, RELOC_COPY },
	{ R_X86_64_DTPMOD64, RELOC_TLS },
	{ R_X86_64_DTPOFF64, RELOC_TLS },
	{ R_X86_64_TPOFF64, RELOC_TLS },
	{ R_X86_64_DTPOFF32, RELOC_TLS },
	{ R_X86_64_TPOFF32, RELOC_TLS },
	{ R_X86_64_TLSDESC, RELOC_TLS },
};

static const struct elf_relocation_type types_i386[] = {
	{ R_386_RELATIVE, RELOC_RELATIVE },
	{ R_386_JMP_SLOT, RELOC_JUMP_SLOT },
	{ R_386_GLOB_DAT, RELOC_GLOB_DAT },
	{ R_386_IRELATIVE, RELOC_IRELATIVE },
	{ R_386_COPY, RELOC_COPY },
	{ R_386_TLS_TPOFF, RELOC_TLS },
	{ R_386_TLS_TPOFF32, RELOC_TLS },
	{ R_386_TLS_DTPMOD32, RELOC_TLS },
	{ R_386_TLS_DTPOFF32, RELOC_TLS },
	{ R_386_TLS_DESC, RELOC_TLS },
};

enum { LONGEST_CALL = 7, CALL_NEAR = 0xe8, NEAR_LENGTH = 5, GROUP_5 = 0xff };

/*
 * The length of "call through a register or memory" (FF /2), by the byte behind its opcode, without prefixes:
 * 0 if that is another instruction (Intel SDM, volume 2, tables 2-2 and 2-3).
 */
static int indirect_length(unsigned char modrm)
{
	const int mode = modrm >> 6, base = modrm & 7;
	const int displacement = mode == 1 ? 1 : mode == 2 || (!mode && base == 5) ? 4 : 0;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	return 2 + (mode != 3 && base == 4) + displacement;
}

static bool follows_call(const struct elf_object *object, uint64_t offset)
{
	unsigned char before[LONGEST_CALL];

	if (offset < sizeof(before) ||
	    !elf_object__read(object, offset - sizeof(before), before, sizeof(before)))
		return true;
	if (before[LONGEST_CALL - NEAR_LENGTH] == CALL_NEAR)
		return true;
	for (int length = 2; length <= LONGEST_CALL; length++)
		if (before[LONGEST_CALL - length] == GROUP_5 &&
		    indirect_length(before[LONGEST_CALL - length + 1]) == length)
			return true;
	return false;
}

const struct elf_machine elf_machine_x86_64 = {
	.number = EM_X86_64,
	.types = types_x86_64,
	.type_count = sizeof(types_x86_64) / sizeof(types_x86_64[0]),
	.address_type = R_X86_64_64,
	.stack_pointer = 7,
	.frame_pointer = 6,
	.word = 8,
	.follows_call = follows_call,
};

const struct elf_machine elf_machine_i386 = {
	.number = EM_386,
	.types = types_i386,
	.type_count = sizeof(types_i386) / sizeof(types_i386[0]),
	.address_type = R_386_32,
	.stack_pointer = 4,
	.frame_pointer = 5,
	.word = 4,
	.follows_call = follows_call,
};
