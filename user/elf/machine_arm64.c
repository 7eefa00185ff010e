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

enum { INSTRUCTION = 4, PLT_ENTRY = 3 /* instructions of it that are read */ };

/* Code is little-endian whatever data is. */
static uint32_t instruction_at(const unsigned char *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

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
	return is_call(instruction_at(bytes));
}

/* ADD x29, sp, #distance; without a distance it is also called MOV. */
static bool sets_frame_pointer(const unsigned char *code, uint64_t *distance)
{
	const uint32_t instruction = instruction_at(code);

	*distance = instruction >> 10 & 0xfff;
	return (instruction & 0xffc003ff) == 0x910003fd;
}

/* A number of so many bits, from `at` on, with its sign. */
static int64_t signed_bits(uint32_t instruction, int at, int bits)
{
	return (int64_t)((uint64_t)instruction << (64 - at - bits)) >> (64 - bits);
}

/* What ADRP at this address sets its register to. */
static uint64_t page_of(uint32_t code, uint64_t address)
{
	return (address & ~0xfffull) + (uint64_t)(signed_bits(code, 5, 19) * 4 + (code >> 29 & 3)) * 0x1000;
}

/* ADRP x16, PAGE; LDR x17, [x16, #DISTANCE]. BTI may stand before them. */
static uint64_t slot_of_entry(const struct elf_object *object, uint64_t address)
{
	unsigned char code[PLT_ENTRY * INSTRUCTION];
	uint32_t page, load;
	size_t at = 0;

	if (!elf_object__read_at(object, address, code, sizeof(code)))
		return 0;
	if (instruction_at(code) == 0xd503245f)
		at += INSTRUCTION;
	page = instruction_at(code + at);
	load = instruction_at(code + at + INSTRUCTION);
	if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
		return 0;
	return page_of(page, address + at) + (load >> 10 & 0xfff) * 8;
}

static uint64_t slot_of_call(const struct elf_object *object, uint64_t address)
{
	const uint64_t call = address - INSTRUCTION;
	unsigned char code[INSTRUCTION];

	if (!elf_object__read_at(object, call, code, sizeof(code)) || code[3] >> 2 != 0x94 >> 2)
		return 0;
	return slot_of_entry(object, call + signed_bits(instruction_at(code), 0, 26) * INSTRUCTION);
}

/* ADRP Xd, PAGE; ADD Xd, Xn, #DISTANCE; LDR Xd, [Xn, #DISTANCE]; LDR Wd. Of other instructions nothing is followed. */
static size_t loaded_words(const unsigned char *code, size_t size, uint64_t address, uint64_t *words, size_t most)
{
	uint64_t values[32] = {}; /* of registers; 0: not known */
	size_t count = 0;

	for (size_t i = 0; i + INSTRUCTION <= size && count < most; i += INSTRUCTION) {
		const uint32_t instruction = instruction_at(code + i), distance = instruction >> 10 & 0xfff;
		const uint64_t base = values[instruction >> 5 & 31];
		uint64_t *value = &values[instruction & 31];

		if ((instruction & 0x9f000000) == 0x90000000)
			*value = page_of(instruction, address + i);
		else if ((instruction & 0xffc00000) == 0x91000000)
			*value = base ? base + distance : 0;
		else if ((instruction & 0xffc00000) == 0xf9400000) {
			if (base)
				words[count++] = base + (uint64_t)distance * 8;
			*value = 0;
		} else if ((instruction & 0xffc00000) == 0xb9400000) {
			*value = 0;
		}
	}
	return count;
}

const struct elf_machine elf_machine_aarch64 = {
	.number = EM_AARCH64,
	.types = types,
	.type_count = sizeof(types) / sizeof(types[0]),
	.address_type = R_AARCH64_ABS64,
	.tls_head = 16,
	.stack_pointer = 31,
	.frame_pointer = 29,
	.word = 8,
	.link = 30,
	.return_bits = (1ull << 48) - 1,
	.instruction = INSTRUCTION,
	.sets_frame_pointer = sets_frame_pointer,
	.follows_call = follows_call,
	.slot_of_call = slot_of_call,
	.loaded_words = loaded_words,
};
