/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The symbol table that ld.so uses, by dynamic tags alone.
 */
#ifndef FORKTAX_ELF_DYNAMIC_SYMBOLS_H
#define FORKTAX_ELF_DYNAMIC_SYMBOLS_H

#include "elf/object.h"

/* Where DT_SYMTAB lies in the file, and how many symbols have room there; false: nowhere. */
bool elf_dynamic_symbols__find(const struct elf_object *object, uint64_t *offset, uint64_t *room);

/*
 * How many symbols the hash table knows, DT_HASH or DT_GNU_HASH; ld.so finds no others. Undefined
 * ones may be missing from the count. 0 if there is no hash table, or it is damaged.
 */
uint64_t elf_dynamic_symbols__count(const struct elf_object *object);

#endif
