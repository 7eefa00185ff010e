// SPDX-License-Identifier: GPL-2.0-or-later
/* What the rows of a run and those of its anatomy have in common. */
#include "model/run_fields.h"

const struct words actor_words = WORDS_OF(actor_counters);
const struct words class_words = WORDS_OF(fault_counters);

size_t run__exes(const struct scope *scope)
{
	return ((const struct run *)scope__root(scope))->exe_count;
}

size_t run__groups(const struct scope *scope)
{
	return ((const struct run *)scope__root(scope))->group_count;
}

const void *run__exe_path(const struct run *run, uint32_t exe, union computed *computed)
{
	computed->text = exe < run->exe_count ? run->exes[exe].path : NULL;
	return &computed->text;
}
