/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When the functions that a file calls in others are bound, by the file.
 */
#ifndef FORKTAX_RESOLVE_BINDNOW_FILE_WAY_H
#define FORKTAX_RESOLVE_BINDNOW_FILE_WAY_H

#include "analysis/bindnow/bindnow_files.h"

struct elf_facts;
struct elf_relocations;

/* Of an executable, or of a library, by what is known of its file. */
enum bindnow_way bindnow_way__of(const struct elf_facts *facts,
				 const struct elf_relocations *relocations, bool is_program);

/* Of the executable that is at `path` now. */
enum bindnow_way bindnow_way__of_program(const char *path);

#endif
