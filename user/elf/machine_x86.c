// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

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

	if (offset < sizeof(before) || !elf_object__read(object, offset - sizeof(before), before, sizeof(before)))
		return true;
	if (before[LONGEST_CALL - NEAR_LENGTH] == CALL_NEAR)
		return true;
	for (int length = 2; length <= LONGEST_CALL; length++)
		if (before[LONGEST_CALL - length] == GROUP_5 &&
		    indirect_length(before[LONGEST_CALL - length + 1]) == length)
			return true;
	return false;
}

/* The address that an instruction ending at `end` has relative to there, in its last four bytes. */
static uint64_t target_of(const unsigned char *last_four, uint64_t end)
{
	int32_t distance;

	memcpy(&distance, last_four, sizeof(distance));
	return end + (int64_t)distance;
}

/* The word that a PLT entry jumps by; 0: it is none. endbr64 may stand before the jump, and bnd in it. */
static uint64_t slot_of_entry(const struct elf_object *object, uint64_t address)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	unsigned char code[11];
	size_t at = 0;

	if (!elf_object__read_at(object, address, code, sizeof(code)))
		return 0;
	if (!memcmp(code, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	at += code[at] == 0xf2;
	if (at + 6 > sizeof(code) || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	return target_of(&code[at + 2], address + at + 6);
}

static uint64_t slot_of_call(const struct elf_object *object, uint64_t address)
{
	unsigned char code[6]; /* call *WORD(%rip); or, in the last five, call ENTRY */

	if (!elf_object__read_at(object, address - sizeof(code), code, sizeof(code)))
		return 0;
	if (code[0] == GROUP_5 && code[1] == 0x15)
		return target_of(&code[2], address);
	return code[1] == CALL_NEAR ? slot_of_entry(object, target_of(&code[2], address)) : 0;
}

/* MOV register, DISTANCE(%rip), with REX.W. Bytes within an instruction may look like one, too. */
static size_t loaded_words(const unsigned char *code, size_t size, uint64_t address, uint64_t *words, size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i + 7 <= size && count < most; i++)
		if ((code[i] & 0xfb) == 0x48 && code[i + 1] == 0x8b && (code[i + 2] & 0xc7) == 0x05)
			words[count++] = target_of(&code[i + 3], address + i + 7);
	return count;
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
	.slot_of_call = slot_of_call,
	.loaded_words = loaded_words,
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
