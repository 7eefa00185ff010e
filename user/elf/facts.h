/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads what an executable file states about itself (model/run/elf_facts.h). Only the program headers and
 * dynamic tags are needed, as for the kernel and ld.so; section headers add what they can.
 */
#ifndef FORKTAX_ELF_FACTS_H
#define FORKTAX_ELF_FACTS_H

#include "elf/dynamic.h"
#include "elf/file.h"
#include "model/run/elf_facts.h"

/*
 * The file's own, for as long as it is open. Files that are not ELF have facts, too. NULL and a
 * reason (the file's own, too) if it cannot be read or contradicts itself.
 */
const struct elf_facts *elf_facts__of(struct elf_file *file, const char **reason);
/*
 * The same for the file at a path; facts and reason are to be freed. Others may hold the same
 * facts: they must not be changed.
 */
struct elf_facts *elf_facts__read(const char *path, char **reason);

/* ----- parts of the reading, each a search of its own ----- */

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
void elf_closure__resolve(struct elf_facts *facts, const struct elf_object *object, const char *path);

#endif
