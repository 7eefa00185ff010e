// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/bindnow/file_way.h"

#include "elf/facts.h"
#include "elf/relocations.h"

enum bindnow_way bindnow_way__of(const struct elf_facts *facts,
				 const struct elf_relocations *relocations, bool is_program)
{
	if (facts->linkage == LINKAGE_STATIC || facts->linkage == LINKAGE_STATIC_PIE)
		return WAY_STATIC;
	if (facts->linkage == LINKAGE_LIBRARY && is_program) /* ld.so PROGRAM */
		return WAY_SELF;
	if (!relocations->counts[RELOC_JUMP_SLOT])
		return WAY_NO_SLOTS;
	if (facts->libc == LIBC_MUSL)
		return WAY_MUSL;
	return facts->bind_now ? WAY_NOW : WAY_LAZY;
}

enum bindnow_way bindnow_way__of_program(const char *path)
{
	struct elf_file *file = elf_file__open(path);
	const char *reason;
	const struct elf_facts *facts = elf_facts__of(file, &reason);
	const struct elf_relocations *relocations =
		facts && facts->linkage <= LINKAGE_LIBRARY ? elf_relocations__of(file, &reason) : NULL;
	const enum bindnow_way way = relocations ? bindnow_way__of(facts, relocations, true) : WAY_UNKNOWN;

	elf_file__close(file);
	return way;
}
