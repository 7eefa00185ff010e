/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tables of equal records in an ELF file: symbols, relocations, words.
 */
#ifndef FORKTAX_ELF_RECORDS_H
#define FORKTAX_ELF_RECORDS_H

#include "elf/object.h"

/* Bytes of a record of that type in files of this class; types of libelf, such as ELF_T_SYM. */
size_t elf_records__size(const struct elf_object *object, Elf_Type type);

/*
 * `count` records from `offset`, in the byte order of this machine, into `buffer`; they keep the
 * class of the file. False if they cannot be read.
 */
bool elf_records__read(const struct elf_object *object, uint64_t offset, Elf_Type type, size_t count, void *buffer);

/* No program has as many symbols; of a table that claims more, only so many are read. */
enum { ELF_SYMBOLS_MOST = 1 << 21 };
/* Calls `each` for every symbol of a table, until it returns false. False: the table cannot be read to its end. */
typedef bool elf_symbol_fn(void *context, const GElf_Sym *symbol);
bool elf_records__each_symbol(const struct elf_object *object, uint64_t offset, uint64_t count, elf_symbol_fn *each,
			      void *context);
/* One symbol at `offset`, or false. */
bool elf_records__symbol(const struct elf_object *object, uint64_t offset, GElf_Sym *symbol);

/* What REL and RELA have in common. */
struct elf_rel {
	uint64_t address;
	uint32_t type, symbol;
};

/* Widens record number `index` of a buffer filled as above. */
GElf_Sym elf_records__sym_at(const struct elf_object *object, const void *buffer, size_t index);
uint64_t elf_records__word_at(const struct elf_object *object, const void *buffer, size_t index);
struct elf_rel elf_records__rel_at(const struct elf_object *object, Elf_Type type, const void *buffer, size_t index);

#endif
