/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which libraries ld.so would load for a program, and from where. The rules are those of ld.so(8):
 * DT_RPATH of the object and of those that needed it (unless there is a DT_RUNPATH), DT_RUNPATH,
 * the cache, the default directories; of musl: both alike, then its path file. $ORIGIN is expanded.
 *
 * Left out on purpose, because the answer should depend on files only: LD_LIBRARY_PATH and
 * LD_PRELOAD, /etc/ld.so.preload, libraries for optional CPU features (glibc-hwcaps), directories
 * with $LIB or $PLATFORM, and what the program opens with dlopen(3) later.
 */
#ifndef FORKTAX_ELF_CLOSURE_H
#define FORKTAX_ELF_CLOSURE_H

#include "elf/facts.h"
#include "elf/object.h"

/* Fills libraries, library_count and libraries_known. `path` is the file itself, for $ORIGIN. */
void elf_closure__resolve(struct elf_facts *facts, const struct elf_object *object,
			  const char *path);

#endif
