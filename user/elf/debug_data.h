/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * .gnu_debugdata: an ELF file with the symbols that .dynsym lacks, packed into a section.
 */
#ifndef FORKTAX_ELF_DEBUG_DATA_H
#define FORKTAX_ELF_DEBUG_DATA_H

#include "elf/object.h"

/* Unpacks and opens it, headers alone (to be closed). False: none, damaged, or above 64 MiB. */
bool elf_debug_data__open(struct elf_object *debug, const struct elf_object *object);

#endif
