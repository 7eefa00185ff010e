// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/shell.h"

#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "elf/dynamic.h"
#include "elf/file.h"
#include "elf/records.h"

#define STRINGS_MOST (4u << 20) /* bytes of names that are looked at; bash has 30,000 */

/* Names of dynamic symbols. The linker may let one name be the end of another. */
struct names {
	char *bytes; /* the last one is 0 */
	size_t size;
};

static bool read_names(const struct elf_object *object, struct names *names)
{
	names->size = object->strings_size < STRINGS_MOST ? object->strings_size : STRINGS_MOST;
	names->bytes = checked_calloc(1, names->size + 1);
	return elf_object__read(object, object->strings, names->bytes, names->size) &&
	       memmem(names->bytes, names->size, "global_variables", sizeof("global_variables"));
}

static bool is_called(const GElf_Sym *symbol, const struct names *names, const char *name)
{
	return symbol->st_shndx != SHN_UNDEF && symbol->st_name < names->size &&
	       !strcmp(names->bytes + symbol->st_name, name);
}

/* What the kernel calls start_code, before it moves the file: the lowest address of a segment with code. */
static uint64_t start_code(const struct elf_object *object)
{
	uint64_t start = UINT64_MAX;

	for (size_t i = 0; i < object->segment_count; i++) {
		const GElf_Phdr *segment = &object->segments[i];

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X && segment->p_vaddr < start)
			start = segment->p_vaddr;
	}
	return start;
}

static bool find_symbols(const struct elf_object *object, const struct names *names,
			 struct shell_value *found)
{
	struct wanted {
		const char *name;
		__u64 *distance;
		bool is_optional, is_found;
	} wanted[] = {
		{ .name = "line_number", .distance = &found->line },
		{ .name = "running_trap", .distance = &found->trap },
		{ .name = "global_variables", .distance = &found->variables },
		{ .name = "command_execution_string", .distance = &found->commands, .is_optional = true },
	};
	enum { WANTED = sizeof(wanted) / sizeof(wanted[0]) };
	uint64_t offset, room, count = elf_dynamic_symbols__count(object), start = start_code(object);
	int left = WANTED, missing = 0;

	if (!elf_dynamic_symbols__find(object, &offset, &room))
		return false;
	for (uint64_t i = 0; i < count && i < room && left; i++) {
		GElf_Sym symbol;

		if (!elf_records__symbol(object, offset + i * elf_records__size(object, ELF_T_SYM), &symbol))
			return false;
		for (int j = 0; j < WANTED; j++) {
			if (wanted[j].is_found || !is_called(&symbol, names, wanted[j].name))
				continue;
			*wanted[j].distance = symbol.st_value - start;
			wanted[j].is_found = true;
			left--;
		}
	}
	for (int j = 0; j < WANTED; j++)
		missing += !wanted[j].is_found && !wanted[j].is_optional;
	return !missing;
}

bool elf_shell__find(const char *path, struct shell_value *found)
{
	struct elf_file *file = elf_file__open(path);
	struct names names = {};
	bool is_shell = file->opened == ELF_OPENED && file->object.header.e_ident[EI_CLASS] == ELFCLASS64 &&
			read_names(&file->object, &names) && find_symbols(&file->object, &names, found);

	free(names.bytes);
	elf_file__close(file);
	return is_shell;
}
