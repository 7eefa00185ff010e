/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much of a file libdw would read into memory, so that a sparse file cannot make it read gigabytes.
 */
#ifndef FORKTAX_ELF_CFI_BYTES_H
#define FORKTAX_ELF_CFI_BYTES_H

#include "elf/object.h"

struct cfi_bytes {
	uint64_t eh_frame; /* for dwarf_getcfi_elf(3) */
	uint64_t debug; /* for dwarf_begin_elf(3); the sizes that packed sections claim */
};

struct cfi_bytes cfi_bytes__of(const struct elf_object *object);

#endif
