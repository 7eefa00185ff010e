/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the interpreter of each language keeps the line that it executes. False: the file is another one, or of a
 * version that is not known.
 */
#ifndef FORKTAX_ELF_SHELL_LAYOUTS_H
#define FORKTAX_ELF_SHELL_LAYOUTS_H

#include "elf/file.h"
#include "forktax.h"

bool bash_layout__find(struct elf_file *file, struct shell_value *found);
bool python_layout__find(struct elf_file *file, struct shell_value *found);
bool perl_layout__find(struct elf_file *file, struct shell_value *found);
bool make_layout__find(struct elf_file *file, struct shell_value *found);

#endif
