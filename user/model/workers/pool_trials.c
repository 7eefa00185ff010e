// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/workers/pool_trials.h"

#include <math.h>

#define POOL_WAY(name, key, words, setting) key,
const char *const pool_way_keys[POOL_WAYS] = {
#include "model/workers/pool_ways.def"
};
#undef POOL_WAY

#define POOL_WAY(name, key, words, setting) words,
const char *const pool_way_words[POOL_WAYS] = {
#include "model/workers/pool_ways.def"
};
#undef POOL_WAY

#define POOL_WAY(name, key, words, setting) setting,
const char *const pool_way_settings[POOL_WAYS] = {
#include "model/workers/pool_ways.def"
};
#undef POOL_WAY

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

uint64_t pool_memory__extra(const struct pool_memory *memory)
{
	return memory->extra_bytes + memory->perhaps_extra_bytes;
}

/* Moments may be missing where members came and went: each counts for the time until the next. */
double pool_sample__mean(const struct pool_sample *sample)
{
	const struct pool_moment *course = sample->course;
	double sum = 0;
	size_t last = sample->course_count;

	if (last < 2)
		return NAN;
	for (size_t i = 1; i < last; i++)
		sum += (double)course[i - 1].bytes * (course[i].ns - course[i - 1].ns);
	return sum / (course[last - 1].ns - course[0].ns);
}

double pool_trials__worth(const struct pool_trials *trials)
{
	const uint64_t bytes = pool_memory__bytes(&trials->list[0].samples[0].loaded);
	const double least = 1 << 20, worth = bytes == ABSENT ? 0 : 0.02 * bytes;

	return worth > least ? worth : least;
}
