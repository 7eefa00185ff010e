// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/symbols.h"

#include "base/memory.h"
#include "elf/debug.h"
#include "elf/dynamic.h"
#include "elf/records.h"
#include "elf/sections.h"
#include "elf/symbol_index.h"

struct elf_symbols {
	const struct elf_object *object; /* of the file that owns them */
	struct elf_object debug; /* elf is NULL: none */
	struct elf_sections sections;
	struct elf_symbol_index index;
};

/* The table that a section header describes; false if it has none that fits into the file. */
static bool table_of(const struct elf_object *object, uint32_t type, struct elf_symbol_table *table)
{
	size_t size = elf_records__size(object, ELF_T_SYM);
	GElf_Shdr header, strings;

	if (!elf_sections__symbols(object, type, &header, &strings))
		return false;
	*table = (struct elf_symbol_table){ .object = object,
					    .offset = header.sh_offset,
					    .count = header.sh_size / size,
					    .strings = strings.sh_offset,
					    .strings_size = strings.sh_size };
	return table->count > 1;
}

static bool table_by_tags(const struct elf_object *object, struct elf_symbol_table *table)
{
	uint64_t room, count = elf_dynamic_symbols__count(object);

	*table = (struct elf_symbol_table){ .object = object,
					    .strings = object->strings,
					    .strings_size = object->strings_size };
	if (!elf_dynamic_symbols__find(object, &table->offset, &room))
		return false;
	table->count = count < room ? count : room;
	return table->count > 1;
}

static bool first_address(const struct elf_object *object, uint64_t *address)
{
	GElf_Phdr segment;

	for (int i = 0; i < object->header.e_phnum; i++) {
		if (gelf_getphdr(object->elf, i, &segment) && segment.p_type == PT_LOAD) {
			*address = segment.p_vaddr;
			return true;
		}
	}
	return false;
}

/* prelink(8) moves the file, but not what was split from it before. */
static uint64_t moved(const struct elf_object *object, const struct elf_object *debug)
{
	uint64_t here, there;

	return first_address(object, &here) && first_address(debug, &there) ? here - there : 0;
}

static void add_dynamic(struct elf_symbols *symbols)
{
	struct elf_symbol_table table;

	if (table_of(symbols->object, SHT_DYNSYM, &table) || table_by_tags(symbols->object, &table))
		elf_symbol_index__add(&symbols->index, &table);
}

static void read_symbols(struct elf_symbols *symbols, const char *path)
{
	const struct elf_object *object = symbols->object;
	struct elf_object *debug = &symbols->debug;
	struct elf_symbol_table table;

	if (table_of(object, SHT_SYMTAB, &table)) {
		elf_symbol_index__add(&symbols->index, &table);
		return;
	}
	if (elf_debug_file__open(debug, object, path) && table_of(debug, SHT_SYMTAB, &table)) {
		table.bias = moved(object, debug);
		elf_symbol_index__add(&symbols->index, &table);
		return;
	}
	elf_object__close(debug);
	if (elf_debug_data__open(debug, object) && table_of(debug, SHT_SYMTAB, &table)) {
		table.bias = moved(object, debug);
		elf_symbol_index__add(&symbols->index, &table);
	}
	add_dynamic(symbols);
}

static void read_sections(struct elf_symbols *symbols)
{
	elf_sections__read(&symbols->sections, symbols->object);
	if (!symbols->sections.count)
		elf_sections__add_by_tags(&symbols->sections, symbols->object);
}

static void release_symbols(void *data)
{
	struct elf_symbols *symbols = data;

	elf_symbol_index__free(&symbols->index);
	elf_sections__free(&symbols->sections);
	elf_object__close(&symbols->debug);
	free(symbols);
}

const struct elf_symbols *elf_symbols__of(struct elf_file *file)
{
	struct elf_part *part = &file->parts[ELF_PART_SYMBOLS];
	struct elf_symbols *symbols;

	if (part->made || file->opened != ELF_OPENED)
		return part->data;
	symbols = checked_calloc(1, sizeof(*symbols));
	symbols->object = &file->object;
	symbols->debug.fd = -1;
	read_sections(symbols);
	read_symbols(symbols, file->path);
	elf_symbol_index__sort(&symbols->index);
	*part = (struct elf_part){
		.made = true,
		.data = symbols,
		.release = release_symbols,
		.bytes = elf_symbol_index__bytes(&symbols->index),
	};
	return symbols;
}

const char *elf_symbols__section(const struct elf_symbols *symbols, uint64_t address)
{
	const struct elf_section *section = elf_sections__at(&symbols->sections, address);

	return section ? section->name : NULL;
}

const char *elf_symbols__symbol(const struct elf_symbols *symbols, uint64_t address, uint64_t *distance)
{
	const struct elf_symbol *symbol = elf_symbol_index__at(&symbols->index, address);

	if (!symbol)
		return NULL;
	if (symbol->start == symbol->end &&
	    elf_sections__at(&symbols->sections, symbol->start) != elf_sections__at(&symbols->sections, address))
		return NULL;
	*distance = address - symbol->start;
	return elf_symbol_index__name(&symbols->index, symbol);
}
