/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Some dynamic symbols of a file, by their names.
 */
#ifndef FORKTAX_ELF_WANTED_SYMBOLS_H
#define FORKTAX_ELF_WANTED_SYMBOLS_H

#include <linux/types.h>

#include "elf/object.h"

struct wanted_symbol {
	const char *name;
	__u64 *value; /* what it defines, less `start`; of thread-local ones: st_value */
	__u64 size; /* by the search: bytes of it */
	bool is_optional;
	bool is_found; /* by the search */
};

/* The lowest address of a segment with code: what the kernel calls start_code, before it moves the file. */
uint64_t elf_object__start_code(const struct elf_object *object);
/* False: one that is not optional is not defined there. */
bool wanted_symbols__find(const struct elf_object *object, uint64_t start, struct wanted_symbol *wanted, size_t count);

#endif
