// SPDX-License-Identifier: GPL-2.0-or-later
/* The hash table, against an array that is searched from its beginning. */
#include "unit.h"

#include "base/hash.h"

enum { KEYS = 3000, STEPS = 200000 };

static uint64_t random_state = 1;

static uint64_t draw(uint64_t below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (random_state >> 33) % below;
}

static void test_empty(void **state)
{
	struct hash hash = { 0 };
	size_t at = 0;

	assert_null(hash__find(&hash, "a", 1));
	assert_null(hash__next(&hash, &at));
	hash__remove(&hash, "a", 1);
	hash__release(&hash);
}

/* A part of a key, a longer one, zeros behind it and no bytes at all are keys of their own. */
static void test_lengths(void **state)
{
	static const char text[] = "0123456789abcdef0123456789abcdef";
	static const char zeros[40];
	struct hash hash = { 0 };

	for (size_t length = 0; length <= 32; length++)
		hash__get(&hash, text, length)->number = 100 + length;
	for (size_t length = 1; length <= 40; length++)
		hash__get(&hash, zeros, length)->number = 200 + length;
	assert_int_equal(hash.count, 73);
	for (size_t length = 0; length <= 32; length++)
		assert_int_equal(hash__find(&hash, text, length)->number, 100 + length);
	for (size_t length = 1; length <= 40; length++)
		assert_int_equal(hash__find(&hash, zeros, length)->number, 200 + length);
	hash__release(&hash);
}

/* Short keys are copied: they may change afterwards. */
static void test_short_keys_are_copied(void **state)
{
	struct hash hash = { 0 };
	uint64_t key[2] = { 7, 9 };

	hash__get(&hash, key, sizeof(key))->number = 3;
	key[1] = 8;
	assert_null(hash__find(&hash, key, sizeof(key)));
	key[1] = 9;
	assert_int_equal(hash__find(&hash, key, sizeof(key))->number, 3);
	hash__release(&hash);
}

static void check_all(const struct hash *hash, const uint64_t *expected)
{
	const union hash_value *value;
	uint64_t sum = 0, present = 0;

	for (uint32_t key = 0; key < KEYS; key++) {
		value = hash__find(hash, &key, sizeof(key));
		assert_true(!value == !expected[key]);
		assert_true(!value || value->number == expected[key]);
		present += expected[key] != 0;
		sum += expected[key];
	}
	assert_int_equal(hash->count, present);
	for (size_t at = 0; (value = hash__next(hash, &at)); present--)
		sum -= value->number;
	assert_int_equal(present, 0);
	assert_int_equal(sum, 0);
}

/* Grows, collides, and closes the holes of what is removed. */
static void test_as_an_array(void **state)
{
	static uint64_t expected[KEYS];
	struct hash hash = { 0 };

	for (uint64_t step = 1; step <= STEPS; step++) {
		/* Few keys first, then many, then few again: rows of neighbours of all lengths. */
		uint32_t key = draw(step % 50000 < 25000 ? KEYS : 20);

		if (draw(2)) {
			hash__get(&hash, &key, sizeof(key))->number = step;
			expected[key] = step;
		} else {
			hash__remove(&hash, &key, sizeof(key));
			expected[key] = 0;
		}
		if (step % 5000 == 0)
			check_all(&hash, expected);
	}
	hash__release(&hash);
}

/* In a full row of slots each is taken out while they are gone through, those that move up included. */
static void test_emptied_on_the_way(void **state)
{
	for (uint32_t count = 1; count <= 200; count++) {
		const union hash_value *value;
		struct hash hash = { 0 };
		uint32_t seen = 0;

		for (uint32_t key = 1; key <= count; key++)
			hash__get(&hash, &key, sizeof(key))->number = key;
		for (size_t at = 0; (value = hash__next(&hash, &at)); at--, seen++) {
			uint32_t key = value->number;

			hash__remove(&hash, &key, sizeof(key));
			assert_null(hash__find(&hash, &key, sizeof(key)));
		}
		assert_int_equal(seen, count);
		assert_int_equal(hash.count, 0);
		hash__release(&hash);
	}
}

static void test_numbers(void **state)
{
	struct hash hash = { 0 };

	for (int round = 0; round < 2; round++)
		for (uint64_t i = 0; i < 1000; i++) {
			uint64_t key = i * 4096;

			assert_int_equal(hash__number(&hash, &key, sizeof(key)), i);
		}
	hash__release(&hash);
}

/* However many there are, and from wherever they come. */
static void test_texts(void **state)
{
	struct texts texts = { 0 };
	char text[64];

	assert_int_equal(texts__number(&texts, ""), 0);
	for (int round = 0; round < 2; round++)
		for (int i = 1; i <= 1000; i++) {
			snprintf(text, sizeof(text), "/%s/%d", i % 2 ? "usr/lib/x86_64-linux-gnu" : "x", i);
			assert_int_equal(texts__number(&texts, text), i);
		}
	assert_string_equal(texts.list[0], "");
	assert_string_equal(texts.list[77], "/usr/lib/x86_64-linux-gnu/77");
	assert_string_equal(texts.list[78], "/x/78");
	texts__release(&texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_short_keys_are_copied),
		cmocka_unit_test(test_as_an_array),
		cmocka_unit_test(test_emptied_on_the_way),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
