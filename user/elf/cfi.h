/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a function has its frame, by its call frame information (.eh_frame, .debug_frame; DWARF 5,
 * section 6.4).
 */
#ifndef FORKTAX_ELF_CFI_H
#define FORKTAX_ELF_CFI_H

#include "elf/file.h"

enum elf_frame_kind {
	ELF_FRAME_UNKNOWN, /* the file says nothing of this code */
	ELF_FRAME_BY_POINTER, /* the frame pointer leads to it: to the saved one, and the address to return to */
	ELF_FRAME_ON_TOP, /* the address to return to is on top of the stack, or in the machine's register for it */
	ELF_FRAME_OUTERMOST, /* nothing called it */
	ELF_FRAME_ELSEWHERE, /* neither: the frame pointer, if it is one, belongs to another function */
};

/* At an address (virtual, of the file). What a file is said wrongly is ELF_FRAME_UNKNOWN. */
enum elf_frame_kind elf_cfi__frame(struct elf_file *file, uint64_t address);

/* Where a thread is in a function: what is needed to find its caller. */
struct elf_registers {
	uint64_t ip, sp, bp;
	uint64_t link; /* the register with the address to return to; 0: there is none, or it is not known */
};

/* Words of a stack, from `sp` on. */
struct elf_stack {
	uint64_t sp;
	const uint64_t *words;
	size_t count;
};

/*
 * Goes from a function of a 64-bit program to its caller. `address` (virtual, of the file) lies in the
 * instruction that called. False: the file does not say where its caller is, the words do not reach there, or
 * nothing called it.
 */
bool elf_cfi__step(struct elf_file *file, uint64_t address, const struct elf_stack *stack,
		   struct elf_registers *registers);

#endif
