/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers for fuzzing: at random, but the same everywhere, so that a failure repeats with its seed.
 */
#ifndef FORKTAX_FUZZ_RANDOM_H
#define FORKTAX_FUZZ_RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed;

/* By xorshift. */
static inline uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* What a variable of the environment says. */
static inline uint64_t number_from(const char *variable, uint64_t otherwise)
{
	const char *text = getenv(variable);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* FORKTAX_FUZZ_SEED, or `otherwise`: not 0. */
static inline void set_seed(uint64_t otherwise)
{
	seed = number_from("FORKTAX_FUZZ_SEED", otherwise);
	printf("FORKTAX_FUZZ_SEED=%llu\n", (unsigned long long)seed);
}

#endif
