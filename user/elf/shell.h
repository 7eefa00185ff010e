/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a shell keeps which line it executes.
 */
#ifndef FORKTAX_ELF_SHELL_H
#define FORKTAX_ELF_SHELL_H

#include <stdbool.h>

#include "forktax.h"

/*
 * Finds bash's variables in the file at `path`, as distances from mm->start_code. It exports them for
 * builtins that are loaded at run time (enable -f), so a stripped bash has them, too. False: the file has none.
 */
bool elf_shell__find(const char *path, struct shell_value *found);

#endif
