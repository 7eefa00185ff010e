/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses in a parent's memory: the object at each, and the words read there. Layouts are sorted
 * by address, as /proc/PID/maps is.
 */
#ifndef FORKTAX_RESOLVE_BINDINGS_LOADED_LAYOUT_H
#define FORKTAX_RESOLVE_BINDINGS_LOADED_LAYOUT_H

#include "model/run/run.h"
#include "resolve/bindings/linked_file.h"

/* The object that an address lies in, its .bss included; NO_OBJECT. */
uint32_t layout__object_at(const struct layout *layout, uint64_t address);

/* Is the object loaded to run or to be written, not just a file that the program reads? */
bool layout__loads(const struct layout *layout, uint32_t object);

/*
 * What to add to the file's virtual addresses to get those in the layout: the load address under
 * which its segments best explain all of its mappings, by offset and rights. One mapping alone is
 * not enough: several segments may hold a piece of one page of the file.
 */
bool layout__bias(const struct layout *layout, uint32_t object, const struct elf_object *elf, uint64_t *bias);

/* Is it of the parent of this group, or of another parent with the same executable? */
bool layout__is_of_parent(const struct layout *layout, const struct run *run, uint32_t group);

/* The word at an address, in the file's word size; false if it was not read. */
bool layout__word(const struct layout *layout, uint64_t address, const struct linked_file *file, uint64_t *word);

#endif
