/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for virtual addresses in one ELF file: section and symbol. Symbols
 * of .symtab; else of the separate debug file (by build id or .gnu_debuglink; from debuginfod only
 * if the user has set DEBUGINFOD_URLS); else of .gnu_debugdata and .dynsym; where there are no
 * section headers, by dynamic tags alone. Sections by section headers, else named after the tag
 * whose table lies there (".got.plt" by DT_PLTGOT, ".rela.plt" by DT_JMPREL, ...), the rest after
 * its segment in brackets ("[code]"; elf/sections.h). All input is hostile: sizes are checked
 * against the file, time and memory are bounded.
 */
#ifndef FORKTAX_ELF_SYMBOLS_H
#define FORKTAX_ELF_SYMBOLS_H

#include "elf/file.h"

struct elf_symbols;

/* The file's own, for as long as it is open; NULL if it is no ELF file, or unreadable. */
const struct elf_symbols *elf_symbols__of(struct elf_file *file);

/* Static for the life of `symbols`; NULL: in none. */
const char *elf_symbols__section(const struct elf_symbols *symbols, uint64_t address);

/*
 * The innermost symbol that covers an address, and how far into it the address is; without its
 * version, and of aliases the name that programs use ("fork", not "__libc_fork"). NULL: none does;
 * a symbol without a size covers up to the next one in its section. Static for the life of `symbols`.
 */
const char *elf_symbols__symbol(const struct elf_symbols *symbols, uint64_t address,
				uint64_t *distance);

#endif
