// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/symbol_index.h"

#include "base/bisect.h"
#include "base/memory.h"
#include "elf/records.h"

enum { ALIASES_MOST = 16 };

/*
 * Of aliases, global ones come before weak and weak before local ones, which are for the library
 * itself.
 */
static unsigned char rank_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_LOCAL:
		return 0;
	case STB_WEAK:
		return 1;
	default:
		return 2;
	}
}

/* Thread-local symbols are offsets; absolute and common ones are not addresses of the file. */
static bool is_place(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_NOTYPE:
	case STT_OBJECT:
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return symbol->st_name && symbol->st_shndx != SHN_UNDEF &&
		       symbol->st_shndx != SHN_ABS && symbol->st_shndx != SHN_COMMON;
	default:
		return false;
	}
}

static bool add_symbol(void *context, const GElf_Sym *symbol)
{
	struct elf_symbol_index *index = context;
	const struct elf_symbol_table *table = &index->tables[index->table_count - 1];
	uint64_t start = symbol->st_value + table->bias;
	uint64_t end = symbol->st_size > UINT64_MAX - start ? UINT64_MAX : start + symbol->st_size;

	if (!is_place(symbol))
		return true;
	index->list = checked_grow(index->list, index->count, sizeof(*index->list));
	index->list[index->count++] = (struct elf_symbol){
		.start = start,
		.end = end,
		.name = symbol->st_name,
		.table = index->table_count - 1,
		.rank = rank_of(symbol),
	};
	return index->count < ELF_PLACES_MOST;
}

void elf_symbol_index__add(struct elf_symbol_index *index, const struct elf_symbol_table *table)
{
	if (index->table_count == ELF_SYMBOL_TABLES || index->count == ELF_PLACES_MOST)
		return;
	index->tables[index->table_count++] = *table;
	elf_records__each_symbol(table->object, table->offset, table->count, add_symbol, index);
}

static int in_order_of_address(const void *left, const void *right)
{
	const struct elf_symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

void elf_symbol_index__sort(struct elf_symbol_index *index)
{
	struct elf_symbol *list = index->list;

	if (!index->count)
		return;
	qsort(list, index->count, sizeof(*list), in_order_of_address);
	for (size_t i = 0; i < index->count; i++) {
		uint32_t outer = i ? i - 1 : UINT32_MAX;

		while (outer != UINT32_MAX && list[outer].end <= list[i].end)
			outer = list[outer].outer;
		list[i].outer = outer;
	}
	index->names = checked_calloc(index->count, sizeof(*index->names));
}

void elf_symbol_index__free(struct elf_symbol_index *index)
{
	for (size_t i = 0; index->names && i < index->count; i++)
		free(index->names[i]);
	free(index->names);
	free(index->list);
}

size_t elf_symbol_index__bytes(const struct elf_symbol_index *index)
{
	return index->count * (sizeof(*index->list) + sizeof(*index->names));
}

static bool has_begun(const void *symbols, size_t index, const void *address)
{
	return ((const struct elf_symbol *)symbols)[index].start <= *(const uint64_t *)address;
}

const struct elf_symbol *elf_symbol_index__at(const struct elf_symbol_index *index, uint64_t address)
{
	size_t count = bisect(index->list, index->count, has_begun, &address);
	uint32_t i = count - 1;

	if (!count)
		return NULL;
	while (i != UINT32_MAX && index->list[i].end <= address)
		i = index->list[i].outer;
	if (i != UINT32_MAX)
		return &index->list[i];
	return index->list[count - 1].end == index->list[count - 1].start ? &index->list[count - 1] : NULL;
}

static const char *name_at(const struct elf_symbol_index *index, size_t i)
{
	const struct elf_symbol *symbol = &index->list[i];
	const struct elf_symbol_table *table = &index->tables[symbol->table];

	if (!index->names[i] && symbol->name < table->strings_size) {
		index->names[i] = elf_object__string(table->object, table->strings + symbol->name,
						     table->strings_size - symbol->name);
		/* "memcpy@@GLIBC_2.14" in .symtab */
		if (index->names[i] && index->names[i][0] != '@')
			index->names[i][strcspn(index->names[i], "@")] = '\0';
	}
	return index->names[i] && *index->names[i] ? index->names[i] : NULL;
}

/* Names that are not for programs begin with underscores. */
static int strangeness(const struct elf_symbol *symbol, const char *name)
{
	int underscores = strspn(name, "_");

	return (symbol->rank ? 0 : 100) + (underscores < 9 ? underscores : 9) * 4 - (symbol->rank == 2);
}

const char *elf_symbol_index__name(const struct elf_symbol_index *index, const struct elf_symbol *symbol)
{
	size_t i = symbol - index->list;
	const char *best = NULL;
	int least = 0;

	for (int tries = 0; tries < ALIASES_MOST; tries++, i--) {
		const struct elf_symbol *alias = &index->list[i];
		const char *name;

		if (alias->start != symbol->start || alias->end != symbol->end)
			break;
		name = name_at(index, i);
		if (name && (!best || strangeness(alias, name) < least)) {
			best = name;
			least = strangeness(alias, name);
		}
		if (!i)
			break;
	}
	return best;
}
