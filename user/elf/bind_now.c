// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/dynamic.h"

#include "elf/facts.h"

/* ld.so keeps the last entry of each tag. */
unsigned int elf_bind_now__of(const struct elf_object *object)
{
	uint64_t flags = 0, flags_1 = 0;
	unsigned int now = 0;

	for (size_t i = 0; i < object->dynamic_count; i++) {
		const GElf_Dyn *tag = &object->dynamic[i];

		if (tag->d_tag == DT_BIND_NOW)
			now |= NOW_BY_TAG;
		if (tag->d_tag == DT_FLAGS)
			flags = tag->d_un.d_val;
		if (tag->d_tag == DT_FLAGS_1)
			flags_1 = tag->d_un.d_val;
	}
	if (flags & DF_BIND_NOW)
		now |= NOW_BY_FLAGS;
	if (flags_1 & DF_1_NOW)
		now |= NOW_BY_FLAGS_1;
	return now;
}
