// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/elf_machine.h"

static const struct elf_relocation_type types[] = {
	{ R_AARCH64_RELATIVE, RELOC_RELATIVE },
	{ R_AARCH64_JUMP_SLOT, RELOC_JUMP_SLOT },
	{ R_AARCH64_GLOB_DAT, RELOC_GLOB_DAT },
	{ R_AARCH64_IRELATIVE, RELOC_IRELATIVE },
	{ R_AARCH64_COPY, RELOC_COPY },
	{ R_AARCH64_TLSDESC, RELOC_TLS },
	{ R_AARCH64_TLS_TPREL, RELOC_TLS },
	{ R_AARCH64_TLS_DTPMOD, RELOC_TLS },
	{ R_AARCH64_TLS_DTPREL, RELOC_TLS },
};

enum { INSTRUCTION = 4 };

/* BL; BLR, BLRAAZ, BLRABZ; BLRAA, BLRAB (Arm ARM, "Branches, Exception Generating and System instructions"). */
static bool is_call(uint32_t code)
{
	return (code & 0xfc000000) == 0x94000000 || (code & 0xfffff01f) == 0xd63f0000 ||
	       (code & 0xfffff01f) == 0xd63f001f || (code & 0xfffff000) == 0xd73f0000;
}

static bool follows_call(const struct elf_object *object, uint64_t offset)
{
	unsigned char bytes[INSTRUCTION];

	if (offset < INSTRUCTION || !elf_object__read(object, offset - INSTRUCTION, bytes, INSTRUCTION))
		return true;
	/* Code is little-endian whatever data is. */
	return is_call(bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24);
}

/* A function begins with its caller in a register, so that the stack alone does not prove it: no word. */
const struct elf_machine elf_machine_aarch64 = {
	.number = EM_AARCH64,
	.types = types,
	.type_count = sizeof(types) / sizeof(types[0]),
	.address_type = R_AARCH64_ABS64,
	.follows_call = follows_call,
};
