/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An ELF file as the dynamic linker sees it: its slots by address, their values in the file, and
 * where the file's offsets are in memory. For this folder alone.
 */
#ifndef FORKTAX_RESOLVE_BINDINGS_LINKED_FILE_H
#define FORKTAX_RESOLVE_BINDINGS_LINKED_FILE_H

#include "elf/file.h"
#include "elf/relocations.h"

struct linked_file {
	struct elf_file *file; /* open as long as this is */
	const struct elf_object *elf;
	const struct elf_relocations *relocations;
	uint64_t mask; /* of a word */
	/* The last piece of the file that was read. */
	uint64_t window_offset;
	size_t window_size;
	unsigned char window[4096];
};

/* LINKED_UNREADABLE: an ELF file, but nothing is known of it. Close only what is LINKED. */
enum linked { LINKED, LINKED_NO_ELF, LINKED_UNREADABLE };

enum linked linked_file__open(struct linked_file *linked, const char *path);
void linked_file__close(struct linked_file *linked);

/* The virtual address of a write at a file offset. */
bool linked_file__written(const struct linked_file *linked, uint64_t offset, uint64_t *address);

/* The slot that a write at a file offset falls into; NULL: none. */
const struct elf_slot *linked_file__slot_written(const struct linked_file *linked, uint64_t offset);

/*
 * Does this slot of an object loaded at `bias` (load minus virtual address) still hold `word`
 * because it was never bound?
 */
bool linked_file__is_unbound(struct linked_file *linked, const struct elf_slot *slot, uint64_t bias, uint64_t word);

/* A word, in the byte order of this machine: whatever runs here has it. */
uint64_t linked_file__load(const struct linked_file *linked, const unsigned char *bytes);

#endif
