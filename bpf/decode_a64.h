/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What an instruction of A64 does to memory, by its 32 bits: Arm Architecture Reference Manual, C4.1. (Of SVE by the
 * group alone. Copies by CPYP, CPYM and CPYE are left open: they read and write at two addresses.)
 *
 * No names of the kernel's or of libbpf: a unit test decodes what an assembler has made.
 */
#pragma once

#include <linux/types.h>

enum memory_access { ACCESS_UNKNOWN, ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC /* both */ };

#define DECODE static inline __attribute__((always_inline)) enum memory_access

DECODE access_of_bit(__u32 instruction, int bit)
{
	return instruction >> bit & 1 ? ACCESS_READ : ACCESS_WRITE;
}

/* Exclusive, ordered, and compare and swap. */
DECODE decode_exclusive(__u32 instruction)
{
	const int of_pair = !(instruction >> 31), second = instruction >> 23 & 1, first = instruction >> 21 & 1;

	if (first && (second || of_pair))
		return ACCESS_ATOMIC;
	return access_of_bit(instruction, 22);
}

/* LDADD and the like, SWP; but also LDAPR, LD64B, ST64B. */
DECODE decode_atomic(__u32 instruction)
{
	if (!(instruction >> 15 & 1) || !(instruction >> 12 & 7))
		return ACCESS_ATOMIC;
	return instruction >> 14 & 1 ? ACCESS_READ : ACCESS_WRITE;
}

/* One register, in all ways to form the address. */
DECODE decode_register(__u32 instruction)
{
	const int vector = instruction >> 26 & 1;

	if (!vector && (instruction & 0x01200c00) == 0x00200000)
		return decode_atomic(instruction);
	if (!vector && (instruction & 0x01200400) == 0x00200400)
		return ACCESS_READ; /* LDRAA, LDRAB */
	if (vector)
		return access_of_bit(instruction, 22);
	return instruction >> 22 & 3 ? ACCESS_READ : ACCESS_WRITE;
}

/* SETP and the like write; those that copy do both. Else with an offset, and ordered: LDAPUR, STLUR. */
DECODE decode_unscaled(__u32 instruction)
{
	if ((instruction & 0x00200c00) == 0x00000400)
		return (instruction >> 22 & 3) == 3 ? ACCESS_WRITE : ACCESS_UNKNOWN;
	if ((instruction & 0x00200c00) == 0)
		return instruction >> 22 & 3 ? ACCESS_READ : ACCESS_WRITE;
	/* Tags: LDG and LDGM read. */
	if ((instruction & 0xff200000) == 0xd9200000)
		return (instruction & 0x00400c00) == 0x00400000 ? ACCESS_READ : ACCESS_WRITE;
	return ACCESS_UNKNOWN;
}

/* Of the data cache: ZVA, GVA and GZVA write; what cleans and invalidates counts as a read. */
DECODE decode_cache(__u32 instruction)
{
	const __u32 operation = instruction >> 5 & 7;

	if ((instruction & 0xffffff00) == 0xd50b7400)
		return operation == 1 || operation == 3 || operation == 4 ? ACCESS_WRITE : ACCESS_UNKNOWN;
	return ACCESS_READ;
}

DECODE decode_a64(__u32 instruction)
{
	if ((instruction & 0xfffff000) == 0xd50b7000)
		return decode_cache(instruction);
	if ((instruction & 0x1e000000) == 0x04000000 && instruction >> 31) /* SVE */
		return instruction >> 29 == 7 ? ACCESS_WRITE : ACCESS_READ;
	if ((instruction & 0x0a000000) != 0x08000000)
		return ACCESS_UNKNOWN;
	if ((instruction & 0x3f000000) == 0x08000000)
		return decode_exclusive(instruction);
	if ((instruction & 0xbe000000) == 0x0c000000) /* structures of vectors */
		return access_of_bit(instruction, 22);
	switch (instruction & 0x3a000000) {
	case 0x18000000:
		return instruction >> 24 & 1 ? decode_unscaled(instruction) : ACCESS_READ; /* of a literal */
	case 0x28000000:
		return access_of_bit(instruction, 22); /* pairs */
	case 0x38000000:
		return decode_register(instruction);
	default:
		return ACCESS_UNKNOWN;
	}
}
