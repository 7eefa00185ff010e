// SPDX-License-Identifier: GPL-2.0-or-later
/* What the rows of a run and those of its anatomy have in common. */
#include "model/run/run_fields.h"

const struct words abi_words = WORDS_OF(abi_keys);
const struct words actor_words = WORDS_OF(actor_counters);
const struct words birth_words = WORDS_OF(birth_counters);
const struct words class_words = WORDS_OF(fault_counters);

static const struct field class_count = { .kind = FIELD_COUNT, .omitted = true };
const struct field class_counts = {
	.kind = FIELD_MAP, .size = sizeof(uint64_t), .words = &class_words,
	.element = &class_count, .closed = true, .omitted = true,
};

const struct words relocation_words = WORDS_OF(relocation_keys);
const struct field relocation_count = { .kind = FIELD_COUNT, NULLABLE };

size_t run__exes(const struct scope *scope)
{
	return ((const struct run *)scope__root(scope))->exe_count;
}

size_t run__groups(const struct scope *scope)
{
	return ((const struct run *)scope__root(scope))->group_count;
}

size_t run__objects(const struct scope *scope)
{
	return ((const struct run *)scope__root(scope))->anatomy->object_count;
}

const void *run__exe_path(const struct run *run, uint32_t exe, union computed *computed)
{
	computed->text = exe < run->exe_count ? run->exes[exe].path : NULL;
	return &computed->text;
}
