/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Facts that need a search of their own: which libc, and which libraries. For facts.c alone.
 */
#ifndef FORKTAX_ELF_FACTS_PARTS_H
#define FORKTAX_ELF_FACTS_PARTS_H

#include "elf/facts.h"

/*
 * Which libc an ELF file uses, by evidence only. A dynamic file names its libc by its interpreter,
 * else by DT_NEEDED. A static one shows it by symbols or sections that only that libc has; stripped
 * static musl and dietlibc programs carry none, and stay LIBC_UNKNOWN.
 */
enum elf_libc elf_libc__of(const struct elf_object *object, const struct elf_facts *facts);

/*
 * Which libraries ld.so would load for a program, and from where: fills libraries, library_count
 * and libraries_known. `path` is the file itself, for $ORIGIN. The rules are those of ld.so(8):
 * DT_RPATH of the object and of those that needed it (unless there is a DT_RUNPATH), DT_RUNPATH,
 * the cache, the default directories; of musl: both alike, then its path file. $ORIGIN is expanded.
 *
 * Left out on purpose, because the answer should depend on files only: LD_LIBRARY_PATH and
 * LD_PRELOAD, /etc/ld.so.preload, libraries for optional CPU features (glibc-hwcaps), directories
 * with $LIB or $PLATFORM, and what the program opens with dlopen(3) later.
 */
void elf_closure__resolve(struct elf_facts *facts, const struct elf_object *object,
			  const char *path);

#endif
