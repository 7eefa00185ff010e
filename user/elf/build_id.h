/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The build id of an ELF file: a hash of its contents when it was linked.
 */
#ifndef FORKTAX_ELF_BUILD_ID_H
#define FORKTAX_ELF_BUILD_ID_H

#include "elf/object.h"

enum { BUILD_ID_MOST = 64 };

struct build_id {
	size_t size; /* 0: none */
	unsigned char bytes[BUILD_ID_MOST];
};

struct build_id build_id__of(const struct elf_object *object);
bool build_id__equal(const struct build_id *left, const struct build_id *right);

#endif
