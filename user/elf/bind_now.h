/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether a file asks for BIND_NOW, as ld.so reads it.
 */
#ifndef FORKTAX_ELF_BIND_NOW_H
#define FORKTAX_ELF_BIND_NOW_H

#include "elf/object.h"

/* enum elf_bind_now of elf/facts.h, or-ed; 0: does not ask. */
unsigned int elf_bind_now__of(const struct elf_object *object);

#endif
