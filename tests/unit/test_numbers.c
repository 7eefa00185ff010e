// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as people read them. */
#include "unit.h"

#include "base/bisect.h"
#include "base/number.h"
#include "base/text.h"

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

/* The noun goes with the number that stands before it. */
static void test_noun(void **state)
{
	assert_string_equal(number__noun(1.001, "page", "pages"), "page");
	assert_string_equal(number__noun(1.01, "page", "pages"), "pages");
	assert_string_equal(number__noun(0, "page", "pages"), "pages");
	assert_string_equal(number__noun(10, "page", "pages"), "pages");
}

static void test_lists(void **state)
{
	static const char *const list[] = { "exit", "_exit", NULL };

	assert_true(text__is_any("_exit", list));
	assert_false(text__is_any("_exit2", list));
	assert_false(text__is_any(NULL, list));
}

static const char *nth(const void *list, size_t index)
{
	return ((const char *const *)list)[index];
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounded),
		cmocka_unit_test(test_noun),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_short_paths),
		cmocka_unit_test(test_bisect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
