// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/pool_trials.h"

const char *const pool_way_keys[POOL_WAYS] = {
	[POOL_AS_IS] = "as-is",
	[POOL_MERGE] = "merge",
	[POOL_FREEZE] = "freeze",
	[POOL_COMPACT] = "compact",
	[POOL_ARENA] = "arena",
};

const struct pool_trial *pool_trials__find(const struct pool_trials *trials, enum pool_way way)
{
	for (size_t i = 0; i < trials->count; i++)
		if (trials->list[i].way == way)
			return &trials->list[i];
	return NULL;
}

uint64_t pool_memory__bytes(const struct pool_memory *memory)
{
	if (memory->pss_anon_bytes == ABSENT || memory->swap_pss_bytes == ABSENT)
		return ABSENT;
	return memory->pss_anon_bytes + memory->swap_pss_bytes;
}
