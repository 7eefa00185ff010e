// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as people read them. */
#include "unit.h"

#include <math.h>

#include "base/bisect.h"
#include "base/quantity.h"
#include "base/text.h"
#include "base/unite.h"

static void assert_words(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

static void test_rounded(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" },	   { 8, "8" },	       { 8.01, "8.01" }, { 8.004, "8" },
		{ 1.949, "1.95" }, { 9.999, "10" },    { 15.04, "15" },	 { 28.06, "28.1" },
		{ 99.97, "100" },  { 826.4, "826" },   { 1234, "1234" }, { 0.004, "0" },
		{ -0.001, "0" },   { -28.14, "-28.1" }, { 1e300, NULL },
	};

	for (size_t i = 0; cases[i].text; i++)
		assert_string_equal(number__rounded(cases[i].value).text, cases[i].text);
	assert_int_equal(strlen(number__rounded(1e300).text), 301);
}

/* Each in the unit that needs no more than three digits, after rounding. */
static void test_units(void **state)
{
	static const struct {
		double value;
		const char *time, *size;
	} cases[] = {
		{ 0, "0 ns", "0 B" },
		{ 999, "999 ns", "999 B" },
		{ 1500, "1.50 us", "1.46 KiB" },
		{ 999499, "999 us", "976 KiB" },
		{ 999600, "1 ms", "976 KiB" },
		{ 4096, "4.10 us", "4 KiB" },
		{ 1048575, "1.05 ms", "1 MiB" },
		{ 12345678, "12.3 ms", "11.8 MiB" },
		{ -12345678, "-12.3 ms", "-11.8 MiB" },
		{ 61e9, "61 s", "56.8 GiB" },
		{ 1000e9, "16.7 min", "931 GiB" },
		{ 7200e9, "2 h", "6.55 TiB" },
		{ 172800e9, "2 d", "157 TiB" },
		{ NAN, "-", "-" },
		{ (double)UINT64_MAX, "-", "-" }, /* what is not known */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(quantity__time(cases[i].value).text, cases[i].time);
		assert_string_equal(quantity__size(cases[i].value).text, cases[i].size);
	}
}

static void test_shares(void **state)
{
	assert_string_equal(quantity__count(0, "page", "pages").text, "0 pages");
	assert_string_equal(quantity__count(1, "page", "pages").text, "1 page");
	assert_string_equal(quantity__percent(0.0806).text, "8.1 %");
	assert_string_equal(quantity__percent(1).text, "100.0 %");
	assert_string_equal(quantity__percent(-0.0004).text, "0.0 %");
	assert_string_equal(quantity__ratio(0.9996).text, "1.000");
	assert_string_equal(quantity__ratio(2.3456).text, "2.35");
	assert_string_equal(quantity__ratio(12.345).text, "12.3");
	assert_string_equal(quantity__signed(2500, unit__us).text, "+2.50");
	assert_string_equal(quantity__signed(-2500, unit__us).text, "-2.50");
	assert_string_equal(quantity__signed(1, unit__us).text, "0");
	assert_string_equal(quantity__signed(NAN, unit__us).text, "-");
}

static void test_ranges(void **state)
{
	assert_words(quantity__range(57e3, 55e3, 60400, unit__us), "57.0 (55.0..60.4)");
	assert_words(quantity__range(57, 55, 1000, unit__none), "57 (55..1000)");
	assert_words(quantity__range(0, -0.001, 0.5, unit__none), "0.00 (0.00..0.50)");
	assert_words(quantity__range(57, 56.99, 57.01, unit__none), "57");
	assert_words(quantity__range(57, NAN, NAN, unit__none), "57");
	assert_words(quantity__ratio_range(1.0361, 1.02, 1.05), "1.036 (1.020..1.050)");
	assert_words(quantity__ratio_range(1.0361, NAN, NAN), "1.036");
	assert_words(quantity__bounds(1, 2, unit__none), "1..2");
	assert_words(quantity__bounds(1, 1.2, unit__none), "1.00..1.20");
	assert_words(quantity__bounds(1, 1.001, unit__none), "1");
	assert_words(quantity__bounds(99.6, 100.4, unit__none), "99.6..100.4");
	assert_words(quantity__bounds(149, 151, unit__none), "149..151");
	assert_words(quantity__ratio_bounds(1.02, 1.051), "1.020..1.051");
	assert_words(quantity__ratio_bounds(2, 2), "2.00");
	assert_words(quantity__count_bounds(3, 5), "3..5");
	assert_words(quantity__count_bounds(3, 3), "3");
	assert_words(quantity__count_range(28, 27, 30), "28 (27..30)");
	assert_words(quantity__count_range(28, 28, 28), "28");
}

/* A column has one number of decimals, whatever its numbers need by themselves. */
static void test_common_decimals(void **state)
{
	static const struct {
		double numbers[4];
		bool are_ratios;
		int decimals;
	} cases[] = {
		{ { 823, 701.4, 48.64 }, false, 1 }, /* three digits of the least */
		{ { 0.25, 48.21, 3.14 }, false, 2 },
		{ { 0.25, 482.1, 3.14 }, false, 1 }, /* beside what is long, fewer */
		{ { 15.8, 1368.2 }, false, 1 },
		{ { 15.8, 12453.5 }, false, 0 },
		{ { 0.34, 12453.5 }, false, 1 },
		{ { -28.14, 0.5 }, false, 2 },
		{ { 28.2, 35, 7, 0 }, false, 1 }, /* what is whole needs none */
		{ { 30, 15, 3, 160 }, false, 0 },
		{ { 8.004, 7 }, false, 0 }, /* as it reads */
		{ { 15.04, 28 }, false, 0 },
		{ { 0 }, false, 0 },
		{ { 16.9, 1.173, 0.069 }, true, 2 },
		{ { 1.173, 0.069, 1.95 }, true, 3 },
		{ { 4, 2.31 }, true, 2 },
		{ { 4, 2 }, true, 2 }, /* ratios are no counts */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct decimals decimals = { .are_ratios = cases[i].are_ratios };

		for (size_t k = 0; k < 4; k++)
			decimals__see(&decimals, cases[i].numbers[k]);
		assert_int_equal(decimals__of(&decimals), cases[i].decimals);
	}
}

/* One grammar for every time on the command line. */
static void test_times(void **state)
{
	static const struct {
		const char *text;
		double ns; /* below 0: refused */
	} cases[] = {
		{ "2", 2e9 },	   { "0.5", 5e8 },    { ".5", 5e8 },    { "500ms", 5e8 }, { "2s", 2e9 },
		{ "5m", 3e11 },	   { "1h", 3.6e12 },  { "350us", 35e4 }, { "7ns", 7 },	  { "1.5h", 5.4e12 },
		{ "1e3", 1e12 },   { "0", 0 },	      { "", -1 },	 { "s", -1 },	  { "5 m", 3e11 },
		{ "5min", 3e11 },  { "2d", 1728e11 }, { "2 s", 2e9 },	 { "5 x", -1 },	  { "5mi", -1 },
		{ "-1s", -1 },     { "5sm", -1 },	 { "1h30m", -1 }, { "nans", -1 },
		{ "infs", -1 },	   { "1,5s", -1 },    { "0x10s", -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double ns = -1;

		assert_int_equal(quantity__read_time(cases[i].text, &ns), cases[i].ns >= 0);
		assert_true(fabs(ns - cases[i].ns) <= 1e-9 * fabs(ns));
	}
}

/* Whatever is printed can be typed: in a report, as a default of --help. */
static void test_times_as_printed(void **state)
{
	for (double ns = 1; ns < 1e16; ns *= 1.37) {
		const struct number_text text = quantity__time(ns);
		double read = 0;

		assert_true(quantity__read_time(text.text, &read));
		assert_true(fabs(read - ns) <= 0.006 * ns);
	}
}

/* The noun goes with the number that stands before it. */
static void test_plural(void **state)
{
	assert_string_equal(number__plural(1.001, "page", "pages"), "page");
	assert_string_equal(number__plural(1.01, "page", "pages"), "pages");
	assert_string_equal(number__plural(0, "page", "pages"), "pages");
	assert_string_equal(number__plural(10, "page", "pages"), "pages");
}

static void test_lists(void **state)
{
	static const char *const list[] = { "exit", "_exit", NULL };

	assert_true(text__is_any("_exit", list));
	assert_false(text__is_any("_exit2", list));
	assert_false(text__is_any(NULL, list));
	assert_true(text__compare("a", "b") < 0 && text__compare("b", "a") > 0);
	assert_true(text__compare(NULL, "") < 0 && text__compare("", NULL) > 0);
	assert_int_equal(text__compare(NULL, NULL), 0);
}

static const char *nth(const void *list, size_t index)
{
	return ((const char *const *)list)[index];
}

/* Averages of the load have as many digits as they need. */
static void test_words_end(void **state)
{
	assert_int_equal(text__words_end("13.70 12.99 119.24 1/210 4321", 3), strlen("13.70 12.99 119.24"));
	assert_int_equal(text__words_end("0.42 0.40", 3), strlen("0.42 0.40"));
	assert_int_equal(text__words_end("  one two", 1), strlen("  one"));
	assert_int_equal(text__words_end("one", 0), 0);
	assert_int_equal(text__words_end("", 3), 0);
}

static void test_short_paths(void **state)
{
	static const char *const paths[] = { "/bin/sh", "/bin/ls", NULL, "/usr/bin/ls", "/bin/sh" };

	assert_string_equal(text__short_path("/bin/sh", paths, 5, nth), "sh"); /* twice the same */
	assert_string_equal(text__short_path("/bin/ls", paths, 5, nth), "/bin/ls");
	assert_string_equal(text__short_path("/bin/ls", paths, 3, nth), "ls");
}

static bool is_less(const void *list, size_t index, const void *number)
{
	return ((const int *)list)[index] < *(const int *)number;
}

static void test_bisect(void **state)
{
	static const int sorted[] = { 1, 3, 3, 7 };

	for (int number = 0; number < 9; number++) {
		size_t expected = (number > 1) + 2 * (number > 3) + (number > 7);

		assert_int_equal(bisect(sorted, 4, is_less, &number), expected);
	}
	assert_int_equal(bisect(sorted, 0, is_less, &sorted[0]), 0);
}

struct tally {
	int what, count;
};

static int by_what(const void *left, const void *right)
{
	return ((const struct tally *)left)->what - ((const struct tally *)right)->what;
}

static void join_tallies(void *kept, void *more)
{
	((struct tally *)kept)->count += ((struct tally *)more)->count;
}

static void nothing_stands_twice(void **state)
{
	struct tally list[] = { { 7, 1 }, { 3, 10 }, { 7, 100 }, { 1, 1000 }, { 7, 10000 }, { 1, 5 } };
	static const struct tally united[] = { { 1, 1005 }, { 3, 10 }, { 7, 10101 } };

	assert_int_equal(unite(list, 6, sizeof(*list), by_what, join_tallies), 3);
	assert_memory_equal(list, united, sizeof(united));
	assert_int_equal(unite(list, 3, sizeof(*list), by_what, join_tallies), 3);
	assert_memory_equal(list, united, sizeof(united));
	assert_int_equal(unite(NULL, 0, sizeof(*list), by_what, join_tallies), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounded),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_common_decimals),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_times_as_printed),
		cmocka_unit_test(test_plural),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_words_end),
		cmocka_unit_test(test_short_paths),
		cmocka_unit_test(test_bisect),
		cmocka_unit_test(nothing_stands_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
