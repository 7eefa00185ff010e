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
	ELF_FRAME_ON_TOP, /* the top of the stack is the address to return to */
	ELF_FRAME_OUTERMOST, /* nothing called it */
	ELF_FRAME_ELSEWHERE, /* neither: the frame pointer, if it is one, belongs to another function */
};

/* At an address (virtual, of the file). What a file is said wrongly is ELF_FRAME_UNKNOWN. */
enum elf_frame_kind elf_cfi__frame(struct elf_file *file, uint64_t address);

#endif
