// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/code.h"

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

bool elf_code__follows_call(const struct elf_object *object, uint64_t offset)
{
	unsigned char before[LONGEST_CALL];

	if (object->header.e_machine != EM_X86_64 && object->header.e_machine != EM_386)
		return true;
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
