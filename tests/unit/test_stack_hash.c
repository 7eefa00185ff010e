// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks that differ have different hashes, however alike their addresses are. */
#include "unit.h"

#include "../../bpf/stack_hash.h"

enum { BASES = 64, FUNCTIONS = 64, MOST = BASES * FUNCTIONS };

static int by_value(const void *left, const void *right)
{
	const __u64 a = *(const __u64 *)left, b = *(const __u64 *)right;

	return (a > b) - (a < b);
}

static void assert_all_differ(__u64 *hashes, size_t count)
{
	qsort(hashes, count, sizeof(*hashes), by_value);
	for (size_t i = 1; i < count; i++)
		assert_int_not_equal(hashes[i - 1], hashes[i]);
}

static __u64 hash_of(__u64 top, __u64 ip, __u64 count)
{
	const struct raw_stack raw = { .top = top, .ips = { ip, 0x401136 }, .count = count };

	return hash_raw_stack(&raw);
}

/* A function and its caller, the same distance apart: in a library wherever it is mapped, and anywhere in it. */
static void test_same_distance(void **state)
{
	__u64 hashes[MOST];
	size_t count = 0;

	for (__u64 base = 0; base < BASES; base++)
		for (__u64 function = 0; function < FUNCTIONS; function++) {
			const __u64 at = 0x7f0000000000 + (base << 21) + (function << 10);

			hashes[count++] = hash_of(at + 0x1cc, at + 0x147, 2);
		}
	assert_all_differ(hashes, count);
}

static void test_parts(void **state)
{
	__u64 hashes[] = {
		hash_of(0, 0, 0), hash_of(0, 0, 1), hash_of(0, 0, 2), hash_of(1, 0, 1), hash_of(0, 1, 1),
		hash_of(1, 1, 1), hash_of(2, 2, 1), hash_of(1, 2, 1), hash_of(2, 1, 1), hash_of(2, 1, 2),
	};

	for (size_t i = 0; i < sizeof(hashes) / sizeof(*hashes); i++)
		assert_int_not_equal(hashes[i], 0);
	assert_all_differ(hashes, sizeof(hashes) / sizeof(*hashes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_distance),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
