/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What ld.so reads by dynamic tags alone, with or without section headers.
 */
#ifndef FORKTAX_ELF_DYNAMIC_H
#define FORKTAX_ELF_DYNAMIC_H

#include "elf/object.h"
#include "model/run/elf_facts.h"

/* enum elf_bind_now, or-ed; 0: the file does not ask for it. */
unsigned int elf_bind_now__of(const struct elf_object *object);

/* Where DT_SYMTAB lies in the file, and how many symbols have room there; false: nowhere. */
bool elf_dynamic_symbols__find(const struct elf_object *object, uint64_t *offset, uint64_t *room);

/*
 * How many symbols the hash table knows, DT_HASH or DT_GNU_HASH; ld.so finds no others. Undefined
 * ones may be missing from the count. 0 if there is no hash table, or it is damaged.
 */
uint64_t elf_dynamic_symbols__count(const struct elf_object *object);

#endif
