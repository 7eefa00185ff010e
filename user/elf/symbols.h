/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for addresses in one ELF file: file offset -> virtual address -> section -> symbol. Symbols
 * of .symtab; else of the separate debug file (by build id or .gnu_debuglink; from debuginfod only
 * if the user has set DEBUGINFOD_URLS); else of .gnu_debugdata and .dynsym; where there are no
 * section headers, by dynamic tags alone. Sections by section headers, else named after the tag
 * whose table lies there (".got.plt" by DT_PLTGOT, ".rela.plt" by DT_JMPREL, ...), the rest after
 * its segment in brackets ("[code]"; elf/tag_sections.h). All input is hostile: sizes are checked
 * against the file, time and memory are bounded.
 */
#ifndef FORKTAX_ELF_SYMBOLS_H
#define FORKTAX_ELF_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct elf_symbols;

/* To be closed; keeps one or two files open. NULL and a reason (to be freed) if the file is no ELF file or unreadable. */
struct elf_symbols *elf_symbols__open(const char *path, char **reason);
void elf_symbols__close(struct elf_symbols *symbols); /* NULL is fine */

/*
 * Which rights a mapping has; 0 where it does not matter. ELF_BEHIND: it is not of the file, but the
 * anonymous memory behind one, for the .bss; another segment may have its file part at that offset.
 */
enum elf_rights { ELF_READ = 1, ELF_WRITE = 2, ELF_EXEC = 4, ELF_BEHIND = 8 };

/*
 * The virtual address that the ELF file gives to a file offset. Several segments may share a file
 * page: the one with the rights of the mapping wins (the RELRO part of a writable segment is mapped
 * read-only). Offsets behind the file part of the writable segment are its .bss. False: no segment
 * is mapped from there.
 */
bool elf_symbols__address(const struct elf_symbols *symbols, uint64_t offset, unsigned int rights,
			  uint64_t *address);

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
