// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/run/call_times.h"

#include <stdlib.h>

#include "base/memory.h"

static struct call_bucket *bucket_of(struct syscall_row *row, uint64_t low_ns, uint64_t high_ns)
{
	struct call_bucket *bucket;

	for (size_t i = 0; i < row->bucket_count; i++)
		if (row->buckets[i].low_ns == low_ns)
			return &row->buckets[i];
	row->buckets = checked_grow(row->buckets, row->bucket_count, sizeof(*row->buckets));
	bucket = &row->buckets[row->bucket_count++];
	*bucket = (struct call_bucket){ .low_ns = low_ns, .high_ns = high_ns };
	return bucket;
}

void syscall_row__add_times(struct syscall_row *row, uint64_t time, uint64_t unit_ns, uint64_t calls)
{
	const uint64_t low = time ? (uint64_t)1 << (63 - __builtin_clzll(time)) : 0;

	bucket_of(row, low * unit_ns, (low ? 2 * low : 1) * unit_ns)->calls += calls;
}

void syscall_row__open_times(struct syscall_row *row, uint64_t low_ns)
{
	for (size_t i = 0; i < row->bucket_count; i++)
		if (row->buckets[i].low_ns >= low_ns)
			row->buckets[i].high_ns = ABSENT;
}

static int by_time(const void *left, const void *right)
{
	const struct call_bucket *a = left, *b = right;

	return (a->low_ns > b->low_ns) - (a->low_ns < b->low_ns);
}

void syscall_row__sort_times(struct syscall_row *row)
{
	if (row->bucket_count) /* qsort() wants no NULL, not even for nothing */
		qsort(row->buckets, row->bucket_count, sizeof(*row->buckets), by_time);
}

uint64_t syscall_row__timed_calls(const struct syscall_row *row)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < row->bucket_count; i++)
		calls += row->buckets[i].calls;
	return calls;
}

