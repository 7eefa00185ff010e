/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for virtual addresses in one ELF file: section and symbol. Symbols come from .symtab; else
 * from the separate debug file (elf/debug.h); else from .gnu_debugdata and .dynsym, which without
 * section headers is found by its dynamic tag. Sections come from the section headers; else they
 * are named after the tag whose table lies there (".got.plt" by DT_PLTGOT, ".rela.plt" by
 * DT_JMPREL, ...), and the rest after its segment in brackets ("[code]"; elf/sections.h). All input
 * is hostile: sizes are checked against the file, time and memory are bounded.
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
const char *elf_symbols__symbol(const struct elf_symbols *symbols, uint64_t address, uint64_t *distance);

#endif
