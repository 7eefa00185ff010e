// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/memory.h"
#include "base/text.h"
#include "elf/facts.h"
#include "elf/sections.h"

struct evidence {
	const char *text;
	enum elf_libc libc;
};

/* File names of dynamic linkers begin like this. */
static const struct evidence interpreters[] = {
	{ "ld-linux", LIBC_GLIBC },	{ "ld-musl-", LIBC_MUSL }, { "ld-2.", LIBC_GLIBC },
	{ "ld64.so", LIBC_GLIBC },	{ "ld.so.1", LIBC_GLIBC }, { "ld-uClibc", LIBC_UCLIBC },
	{ "ld64-uClibc", LIBC_UCLIBC }, { "linker", LIBC_BIONIC },
};

static const struct evidence sonames[] = {
	{ "libc.so.6", LIBC_GLIBC },
	{ "libc.so.0", LIBC_UCLIBC },
	{ "libc.musl-", LIBC_MUSL },
};

/* Symbols of start-up code that every static program of that libc holds. */
static const struct evidence symbols[] = {
	{ "__libc_setup_tls", LIBC_GLIBC },
	{ "_dl_relocate_static_pie", LIBC_GLIBC },
	{ "__init_libc", LIBC_MUSL },
	{ "__unified_syscall", LIBC_DIETLIBC },
	{ "__you_tried_to_link_a_dietlibc_object_against_glibc", LIBC_DIETLIBC },
};

/* Sections that survive strip(1); only glibc has them. */
static const struct evidence sections[] = {
	{ "__libc_freeres_fn", LIBC_GLIBC },
	{ "__libc_IO_vtables", LIBC_GLIBC },
	{ "__libc_atexit", LIBC_GLIBC },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static enum elf_libc by_prefix(const char *text, const struct evidence *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strncmp(text, rows[i].text, strlen(rows[i].text)))
			return rows[i].libc;
	}
	return LIBC_UNKNOWN;
}

static enum elf_libc by_needed(const struct elf_facts *facts)
{
	for (size_t i = 0; i < facts->needed_count; i++) {
		enum elf_libc libc = by_prefix(facts->needed[i], sonames, COUNT(sonames));

		if (libc != LIBC_UNKNOWN)
			return libc;
		if (!strcmp(facts->needed[i], "libc.so"))
			return LIBC_MUSL;
	}
	return LIBC_UNKNOWN;
}

static enum elf_libc by_sections(const struct elf_object *object)
{
	GElf_Shdr header;

	for (size_t i = 0; i < COUNT(sections); i++) {
		if (elf_sections__of_name(object, sections[i].text, &header))
			return sections[i].libc;
	}
	return LIBC_UNKNOWN;
}

/* Is `word` a whole string of the table, and not the tail of a longer one? */
static bool table_holds(const char *table, size_t size, const char *word)
{
	size_t length = strlen(word) + 1;
	const char *hit = size > length ? memmem(table + 1, size - 1, word, length) : NULL;

	while (hit && hit[-1] != '\0') {
		size_t rest = size - (hit + 1 - table);

		hit = memmem(hit + 1, rest, word, length);
	}
	return hit;
}

/* Symbol names are looked up in the string table alone: one read, and no loop over symbols. */
static enum elf_libc by_symbols(const struct elf_object *object)
{
	enum { LIMIT = 64 << 20 };
	enum elf_libc libc = LIBC_UNKNOWN;
	GElf_Shdr header, strings;
	char *table;
	size_t size;

	if (!elf_sections__symbols(object, SHT_SYMTAB, &header, &strings))
		return LIBC_UNKNOWN;
	size = strings.sh_size < LIMIT ? strings.sh_size : LIMIT;
	if (strings.sh_offset > (uint64_t)object->stat.st_size ||
	    size > (uint64_t)object->stat.st_size - strings.sh_offset)
		return LIBC_UNKNOWN;
	table = checked(malloc(size + 1));
	if (elf_object__read(object, strings.sh_offset, table, size)) {
		for (size_t i = 0; i < COUNT(symbols) && libc == LIBC_UNKNOWN; i++) {
			if (table_holds(table, size, symbols[i].text))
				libc = symbols[i].libc;
		}
	}
	free(table);
	return libc;
}

static enum elf_libc by_interpreter(const char *interp)
{
	return by_prefix(text__file_name(interp), interpreters, COUNT(interpreters));
}

enum elf_libc elf_libc__of(const struct elf_object *object, const struct elf_facts *facts)
{
	enum elf_libc libc = facts->interp ? by_interpreter(facts->interp) : LIBC_UNKNOWN;

	if (libc == LIBC_UNKNOWN)
		libc = by_needed(facts);
	if (libc == LIBC_UNKNOWN && facts->interp)
		return LIBC_OTHER;
	if (libc == LIBC_UNKNOWN)
		libc = by_symbols(object);
	if (libc == LIBC_UNKNOWN)
		libc = by_sections(object);
	return libc;
}
