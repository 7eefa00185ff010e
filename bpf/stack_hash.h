/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Hashes by which names and call stacks are known: of addresses, and of what lies there.
 *
 * No names of the kernel's or of libbpf: a unit test tries stacks that differ in little.
 */
#pragma once

#include "forktax.h"

#define STACK_HASH_BEGIN 0x2545f4914f6cdd1d /* no word that a stack may hold */
#define STACK_HASH_CODE static inline __attribute__((always_inline))

/* A step of a hash; never 0 at the end, see hash_end(). */
STACK_HASH_CODE __u64 hash_step(__u64 hash, __u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

STACK_HASH_CODE __u64 hash_end(__u64 hash)
{
	return hash ? hash : 1;
}

/*
 * Every word takes a step, the first one, too: two addresses of one library, XORed, are the same wherever it is mapped.
 */
STACK_HASH_CODE __u64 hash_raw_stack(const struct raw_stack *raw)
{
	__u64 hash = hash_step(hash_step(STACK_HASH_BEGIN, raw->count), raw->top);

	for (__u32 i = 0; i < STACK_FRAMES; i++) {
		if (i >= raw->count)
			break;
		hash = hash_step(hash, raw->ips[i]);
	}
	return hash_end(hash);
}
