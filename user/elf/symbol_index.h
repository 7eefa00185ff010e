/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Symbol tables, sorted by address. Names stay in their file until somebody asks for one.
 */
#ifndef FORKTAX_ELF_SYMBOL_INDEX_H
#define FORKTAX_ELF_SYMBOL_INDEX_H

#include "elf/object.h"

enum {
	ELF_SYMBOL_TABLES = 2,
	ELF_PLACES_MOST = 1 << 20, /* symbols that are kept */
};

/* Where a table and its names are. The object must outlive the index. */
struct elf_symbol_table {
	const struct elf_object *object;
	uint64_t offset, count;
	uint64_t strings, strings_size;
	uint64_t bias; /* to be added to its addresses */
};

struct elf_symbol {
	uint64_t start, end; /* the same: it has no size */
	uint32_t name;	     /* in the strings of its table */
	uint32_t outer;	     /* nearest one before it that ends behind it; UINT32_MAX: none */
	unsigned char table, rank;
};

struct elf_symbol_index {
	struct elf_symbol_table tables[ELF_SYMBOL_TABLES];
	unsigned int table_count;
	struct elf_symbol *list; /* by start; those that begin together: the smallest last */
	char **names;		 /* of each that was asked for; NULL: not yet */
	size_t count;
};

/* Adds what the table defines; elf_symbol_index__sort() once all are there. */
void elf_symbol_index__add(struct elf_symbol_index *index, const struct elf_symbol_table *table);
void elf_symbol_index__sort(struct elf_symbol_index *index);
void elf_symbol_index__free(struct elf_symbol_index *index);
/* Its size in memory, without the names that somebody may ask for. */
size_t elf_symbol_index__bytes(const struct elf_symbol_index *index);

/*
 * The innermost symbol that covers `address`; else, one without a size that is the last to begin
 * before it. NULL: neither.
 */
const struct elf_symbol *elf_symbol_index__at(const struct elf_symbol_index *index, uint64_t address);

/* Its name without version, or that of the alias that people know best; NULL: unreadable. */
const char *elf_symbol_index__name(const struct elf_symbol_index *index, const struct elf_symbol *symbol);

#endif
