/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An ELF file as the dynamic linker sees it: its slots by address, what the file states for them,
 * and where its offsets are in memory.
 */
#ifndef FORKTAX_ANALYSIS_BINDINGS_GOT_FILE_H
#define FORKTAX_ANALYSIS_BINDINGS_GOT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/object.h"
#include "elf/relocations.h"

struct linked_file {
	struct elf_object elf;
	struct elf_relocations *relocations;
	const struct elf_slot **slots; /* by address; relocations->slot_count */
	uint64_t mask; /* of a word */
	/* The last piece of the file that was read. */
	uint64_t window_offset;
	size_t window_size;
	unsigned char window[4096];
};

/* LINKED_UNREADABLE: an ELF file, but nothing can be said about it. Only LINKED is to be closed. */
enum linked { LINKED, LINKED_NO_ELF, LINKED_UNREADABLE };

enum linked linked_file__open(struct linked_file *file, const char *path);
void linked_file__close(struct linked_file *file);

/* The virtual address of what was written at a file offset. */
bool linked_file__written(const struct linked_file *file, uint64_t offset, uint64_t *address);

/* The word that the file states for a virtual address; false where it states none (.bss). */
bool linked_file__word(struct linked_file *file, uint64_t address, uint64_t *word);

/* Index of the first slot at or after a virtual address; slot_count if there is none. */
size_t linked_file__first_slot(const struct linked_file *file, uint64_t address);

/*
 * Does this slot of an object loaded at `bias` (load minus virtual address) still hold `word`
 * because it was never bound?
 */
bool linked_file__is_unbound(struct linked_file *file, const struct elf_slot *slot, uint64_t bias,
			     uint64_t word);

/* A word in the byte order of this machine, as everything that runs on it. */
uint64_t linked_file__load(const struct linked_file *file, const unsigned char *bytes);

#endif
