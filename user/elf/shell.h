/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where an interpreter of scripts keeps which line it executes.
 */
#ifndef FORKTAX_ELF_SHELL_H
#define FORKTAX_ELF_SHELL_H

#include <stdbool.h>

#include "forktax.h"

/*
 * Finds the variables of the interpreter in the file at `path`, by what it exports, as distances from
 * mm->start_code. False: it is none that forktax knows.
 */
bool elf_shell__find(const char *path, struct shell_value *found);

#endif
