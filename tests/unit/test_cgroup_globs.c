// SPDX-License-Identifier: GPL-2.0-or-later
/* Patterns of names of cgroups, against those of the C library. */
#include "unit.h"

#include <fnmatch.h>

#include "source/cgroup_globs.h"

enum { TRIES = 200000 };

static bool matches(const char *pattern, const char *name)
{
	struct cgroup_globs globs = { 0 };
	bool result;

	assert_true(cgroup_globs__add(&globs, pattern));
	assert_int_equal(globs.count, 1);
	result = cgroup_glob__matches(&globs.list[0], name);
	free(globs.list);
	return result;
}

static uint64_t random_state = 1;

static const char *draw(char *text, const char *const *parts, size_t part_count)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	*text = '\0';
	for (uint64_t bits = random_state >> 20, i = 0; i < 1 + (random_state >> 60) % 9; i++, bits >>= 4)
		strcat(text, parts[bits % part_count]);
	return text;
}

/* "[*-" matches itself, as each bracket that is not closed; glibc 2.36 says that it matches nothing. */
static bool is_unfinished_range(const char *pattern)
{
	return strchr(pattern, '[') && pattern[strlen(pattern) - 1] == '-';
}

static void test_as_the_c_library(void **state)
{
	static const char *const of_patterns[] = { "*", "a", "b", "?", "[ab]", "[!a]", "-", ".", "*", "[]x]", "[", "[[:alpha:]]", "\\" };
	static const char *const of_names[] = { "a", "b", "x", "-", ".", "]", "\\", "[" };
	char pattern[128], name[128];
	int matched = 0;

	for (int i = 0; i < TRIES; i++) {
		bool expected;

		draw(pattern, of_patterns, 13);
		draw(name, of_names, 8);
		if (!strcmp(pattern, ".") || !strcmp(pattern, "..") || is_unfinished_range(pattern))
			continue; /* the first two are of a path, no names */
		/* FNM_PERIOD of glibc 2.36 takes the second byte of "a.x" for a leading one if the pattern begins with "*?". */
		expected = !fnmatch(pattern, name, FNM_NOESCAPE) && (*name != '.' || *pattern == '.');
		matched += expected;
		if (matches(pattern, name) != expected)
			fail_msg("%s and %s: %d by fnmatch()", pattern, name, expected);
	}
	assert_in_range(matched, TRIES / 100, TRIES / 2);
}

/* The most steps that a comparison can need. */
static void test_long_names(void **state)
{
	char name[CGROUP_NAME] = { 0 }, pattern[CGROUP_NAME + 8];

	memset(name, 'a', CGROUP_NAME - 1);
	assert_true(matches(name, name));
	assert_true(matches("*a*a*a*a", name));
	snprintf(pattern, sizeof(pattern), "*%.120s*%.120sb", name, name);
	assert_false(matches(pattern, name));
}

static void test_steps_are_bounded(void **state)
{
	struct cgroup_globs globs = { 0 };
	struct cgroup_match match = { 0 };
	char name[CGROUP_NAME] = { 0 }, pattern[CGROUP_NAME];
	int steps = 0;

	memset(name, 'a', CGROUP_NAME - 1);
	snprintf(pattern, sizeof(pattern), "*%.127sb", name);
	assert_true(cgroup_globs__add(&globs, pattern));
	for (; !match.is_over; steps++)
		cgroup_match__step(&match, &globs.list[0], name);
	assert_false(match.matches);
	assert_in_range(steps, 128 * 127, CGROUP_MATCH_STEPS);
	free(globs.list);
}

static void assert_names(const char *pattern, size_t count)
{
	struct cgroup_globs globs = { 0 };

	assert_true(cgroup_globs__add(&globs, pattern));
	assert_int_equal(globs.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(globs.list[i].is_last, i + 1 == count);
	free(globs.list);
}

static void test_paths(void **state)
{
	struct cgroup_globs globs = { 0 };
	char name[CGROUP_NAME + 1] = { 0 };

	assert_names("/", 0);
	assert_names("", 0);
	assert_names("//a/./b*//", 2);
	assert_names("/a/../b/c", 2);
	assert_names("../..", 0);
	memset(name, 'a', CGROUP_NAME);
	assert_false(cgroup_globs__add(&globs, name));
	free(globs.list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_the_c_library),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_steps_are_bounded),
		cmocka_unit_test(test_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
