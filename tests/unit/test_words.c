// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "report/words.h"

static void assert_words(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

static void test_distribution(void **state)
{
	struct distribution same = { .total = 34, .min = 17, .median = 17, .max = 17 };
	struct distribution spread = { .total = 60, .min = 10, .median = 20, .max = 30 };
	struct distribution large = { .min = 5000, .median = 5000, .max = 5000, .rounded = true };

	assert_words(words__distribution(&same, 2), "17");
	assert_words(words__distribution(&spread, 3), "20 (10..30)");
	assert_words(words__distribution(&large, 1), "~5000");
	assert_words(words__distribution(&same, 0), "-"); /* no child, no median */
}

static void test_exit(void **state)
{
	assert_words(words__exit(0, 0, true), "exit 0");
	assert_words(words__exit(-1, 9, true), "SIGKILL");
	assert_words(words__exit(-1, 64, true), "signal 64");
	assert_words(words__exit(-1, 0, false), "running");
	assert_words(words__exit(-1, 0, true), "-");
}

static void test_exe(void **state)
{
	struct exe exes[] = { { .path = "/bin/sh" }, { .path = "/a/x" }, { .path = "/b/x" }, { 0 } };
	struct run run = { .exes = exes, .exe_count = 4 };

	assert_words(names__exe(&run, 0, false), "sh");
	assert_words(names__exe(&run, 0, true), "/bin/sh");
	assert_words(names__exe(&run, 1, false), "/a/x"); /* there are two x */
	assert_words(names__exe(&run, 3, false), "?");
	exes[0].resolved = "/usr/bin/dash";
	exes[1].resolved = "/usr/a/x";
	exes[2].path = "/bin/y";
	assert_words(names__exe(&run, 0, false), "sh (dash)");
	assert_words(names__exe(&run, 0, true), "/bin/sh");
	assert_words(names__exe(&run, 1, false), "x"); /* no other name */
	exes[1].path = "/usr/bin/sh";
	assert_words(names__exe(&run, 0, false), "/bin/sh (dash)");
	exes[0].path = "/proc/self/exe"; /* names nothing */
	assert_words(names__exe(&run, 0, false), "dash");
	exes[0].path = "/dev/fd/3";
	exes[0].resolved = NULL;
	assert_words(names__exe(&run, 0, false), "3"); /* all that is known */
	assert_words(names__exe(&run, NO_EXE, false), "?");
}

static void test_command(void **state)
{
	char *arguments[] = { "sh", "-c", "true; exit", "", NULL };

	assert_words(words__command(arguments), "sh -c 'true; exit' ''");
	arguments[2] = "echo it's";
	assert_words(words__command(arguments), "sh -c 'echo it'\\''s' ''");
	/* What a terminal obeys would be escaped, and is another command then. */
	arguments[2] = "a\nb\t\x7f'\\";
	assert_words(words__command(arguments), "sh -c $'a\\nb\\011\\177\\'\\\\' ''");
}

static void test_operand(void **state)
{
	char *plain[] = { "true", NULL }, *arguments[] = { "my sh", "x", NULL };

	assert_words(words__operand(NULL, plain), "true");
	assert_words(words__operand("A=1", plain), "'A=1 true'");
	assert_words(words__operand("-I", arguments), "''\\''my sh'\\'' -I x'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distribution), cmocka_unit_test(test_exit),
		cmocka_unit_test(test_exe),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_operand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
