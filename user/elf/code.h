/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_ELF_CODE_H
#define FORKTAX_ELF_CODE_H

#include "elf/object.h"

/*
 * Is the instruction before this offset in the file a call? Else no function returns there. Also true
 * if that is unknown: code of another machine, or that cannot be read.
 */
bool elf_code__follows_call(const struct elf_object *object, uint64_t offset);
/*
 * The address of the word by which the call that ends at this address (virtual, of the file) reaches a function of
 * another object: of its PLT entry, or its own. 0: not known.
 */
uint64_t elf_code__slot_of_call(const struct elf_object *object, uint64_t address);

#endif
