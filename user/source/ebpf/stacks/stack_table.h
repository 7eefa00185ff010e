/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which faults have which call stack, while their records come in. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_STACKS_STACK_TABLE_H
#define FORKTAX_SOURCE_EBPF_STACKS_STACK_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* The faults of one row that have one stack. */
struct counted_stack {
	uint64_t hash; /* key into map stacks of the kernel half */
	uint32_t row; /* its number in the row_table */
	uint32_t stack; /* for the reader of the table */
	uint64_t faults, timed, ns;
};

/* All zero: empty. */
struct stack_table {
	struct hash by_key; /* by hash and row */
	struct counted_stack **entries;
	size_t count;
	uint64_t beyond; /* faults that found no room */
};

/* `duration_ns` 0: not known. */
void stack_table__add(struct stack_table *table, uint32_t row, uint64_t hash, uint64_t duration_ns);
void stack_table__release(struct stack_table *table);

#endif
