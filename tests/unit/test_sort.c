// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "report/run/sort.h"

static const struct syscall_row a = {
	.name = "a", .calls = { 1, 1 }, .errors = { 0, 2 }, .time_ns = { 5, 5 },
	.min_ns = 1, .max_ns = 9, .p99_ns = 9,
};
static const struct syscall_row b = {
	.name = "b", .calls = { 0, 9 }, .errors = { 1, 0 }, .time_ns = { 0, 18 },
	.min_ns = 2, .max_ns = 3, .p99_ns = 3,
};
static const struct syscall_row c = {
	.name = "c", .calls = { 4, 0 }, .min_ns = ABSENT, .max_ns = ABSENT, .p99_ns = ABSENT,
};

static void assert_order(enum sort_key key, bool timed, const char *expected)
{
	const struct syscall_row *rows[] = { &c, &b, &a };

	sort__rows(rows, 3, key, timed);
	for (int i = 0; i < 3; i++)
		assert_int_equal(rows[i]->name[0], expected[i]);
}

static void test_order(void **state)
{
	assert_order(SORT_TIME, true, "bac");
	assert_order(SORT_MIN_TIME, true, "bac");
	assert_order(SORT_MAX_TIME, true, "abc");
	assert_order(SORT_AVG_TIME, true, "abc");
	assert_order(SORT_CALLS, true, "bca");
	assert_order(SORT_ERRORS, true, "abc");
	assert_order(SORT_NAME, true, "abc");
	assert_order(SORT_NOTHING, true, "cba");
	assert_order(SORT_DEFAULT, true, "bac");
	assert_order(SORT_DEFAULT, false, "bca");
	assert_order(SORT_TIME, false, "bca");
	assert_order(SORT_MIN_TIME, false, "bca");
}

static void test_names(void **state)
{
	static const struct {
		const char *name;
		enum sort_key key;
	} names[] = {
		{ "time", SORT_TIME },	       { "time_total", SORT_TIME },
		{ "min-time", SORT_MIN_TIME }, { "max_time", SORT_MAX_TIME },
		{ "avg-time", SORT_AVG_TIME }, { "calls", SORT_CALLS },
		{ "count", SORT_CALLS },       { "errors", SORT_ERRORS },
		{ "name", SORT_NAME },	       { "nothing", SORT_NOTHING },
	};
	enum sort_key key;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(sort_key__parse(names[i].name, &key));
		assert_int_equal(key, names[i].key);
	}
	assert_false(sort_key__parse("colour", &key));
	assert_false(sort_key__parse("", &key));
	assert_false(sort_key__parse("call", &key));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
