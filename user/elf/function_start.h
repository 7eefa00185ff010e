/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_ELF_FUNCTION_START_H
#define FORKTAX_ELF_FUNCTION_START_H

#include "elf/object.h"

/*
 * Where the function begins that has an address (virtual, of the file), by the search table of .eh_frame; 0: not
 * known. Parts of a function that the compiler has put elsewhere ("function.cold") begin where they are.
 */
uint64_t elf_function__start(const struct elf_object *object, uint64_t address);

#endif
