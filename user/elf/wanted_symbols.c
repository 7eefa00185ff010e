// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/dynamic.h"
#include "elf/records.h"
#include "elf/wanted_symbols.h"

#define STRINGS_MOST (4u << 20) /* bytes of names that are looked at; bash has 30,000, libpython 60,000 */

/* Names of dynamic symbols. The linker may let one name be the end of another. */
struct names {
	char *bytes; /* the last one is 0 */
	size_t size;
};

/* Most files are none of those that are looked for: the first name is not there. */
static bool read_names(const struct elf_object *object, struct names *names, const char *first)
{
	names->size = object->strings_size < STRINGS_MOST ? object->strings_size : STRINGS_MOST;
	names->bytes = checked_calloc(1, names->size + 1);
	return elf_object__read(object, object->strings, names->bytes, names->size) &&
	       memmem(names->bytes, names->size, first, strlen(first) + 1);
}

static bool is_called(const GElf_Sym *symbol, const struct names *names, const char *name)
{
	return symbol->st_shndx != SHN_UNDEF && symbol->st_name < names->size &&
	       !strcmp(names->bytes + symbol->st_name, name);
}

uint64_t elf_object__start_code(const struct elf_object *object)
{
	uint64_t start = UINT64_MAX;

	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X && segment->p_vaddr < start)
			start = segment->p_vaddr;
	}
	return start;
}

struct search {
	uint64_t start;
	const struct names *names;
	struct wanted_symbol *wanted;
	size_t count;
};

static bool take(void *context, const GElf_Sym *symbol)
{
	const struct search *search = context;

	for (size_t i = 0; i < search->count; i++) {
		struct wanted_symbol *wanted = &search->wanted[i];

		if (wanted->is_found || !is_called(symbol, search->names, wanted->name))
			continue;
		*wanted->value = GELF_ST_TYPE(symbol->st_info) == STT_TLS ? symbol->st_value :
									    symbol->st_value - search->start;
		wanted->size = symbol->st_size;
		wanted->is_found = true;
	}
	return true;
}

static bool find(const struct elf_object *object, struct search *search)
{
	uint64_t offset, room, count = elf_dynamic_symbols__count(object);

	if (!elf_dynamic_symbols__find(object, &offset, &room) ||
	    !elf_records__each_symbol(object, offset, count < room ? count : room, take, search))
		return false;
	for (size_t i = 0; i < search->count; i++)
		if (!search->wanted[i].is_found && !search->wanted[i].is_optional)
			return false;
	return true;
}

bool wanted_symbols__find(const struct elf_object *object, uint64_t start, struct wanted_symbol *wanted, size_t count)
{
	struct names names = {};
	struct search search = { start, &names, wanted, count };
	bool is_found = read_names(object, &names, wanted[0].name) && find(object, &search);

	free(names.bytes);
	return is_found;
}
