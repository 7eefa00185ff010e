// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "report/run/filter.h"

static bool passes(const char *expression, char *name, int32_t nr)
{
	struct syscall_row row = { .name = name, .nr = nr };
	char *reason;
	struct filter *filter = filter__parse(expression, &reason);
	bool result;

	if (!filter)
		fail_msg("%s: %s", expression, reason);
	result = filter__passes(filter, &row);
	filter__free(filter);
	return result;
}

static void test_names(void **state)
{
	assert_true(passes("read", "read", 0));
	assert_true(passes("trace=read,write", "write", 1));
	assert_true(passes("t=read", "read", 0));
	assert_false(passes("read", "readv", 19));
	assert_false(passes("read", "pread64", 17));
	assert_true(passes("getppid", "getppid", 4));
}

static void test_negation(void **state)
{
	assert_false(passes("!read,write", "read", 0));
	assert_false(passes("trace=!read,write", "write", 1));
	assert_true(passes("!read", "write", 1));
}

static void test_classes(void **state)
{
	assert_true(passes("%file", "openat", 257));
	assert_false(passes("%file", "read", 0));
	assert_true(passes("%process", "fork", 57));
	assert_true(passes("%process", "vfork", 58));
	assert_true(passes("%memory", "mmap", 9));
	assert_true(passes("%desc", "read", 0));
	assert_true(passes("%desc", "creat", 85));
	assert_false(passes("%desc", "socket", 41));
	assert_true(passes("%network", "socket", 41));
	assert_true(passes("%fstat", "statx", 332));
	assert_true(passes("trace=file,network", "openat", 257));
	assert_true(passes("!signal,ipc", "openat", 257));
	assert_true(passes("%net", "socket", 41));
	assert_true(passes("%signal", "kill", 62));
	assert_true(passes("%ipc", "shmget", 29));
	assert_true(passes("%stat", "stat", 4));
	assert_false(passes("%stat", "statx", 332));
	assert_true(passes("%%stat", "statx", 332));
}

static void test_others(void **state)
{
	assert_true(passes("all", "read", 0));
	assert_false(passes("none", "read", 0));
	assert_false(passes("!all", "read", 0));
	assert_true(passes("/^p?read", "pread64", 17));
	assert_false(passes("/^read$", "readv", 19));
	assert_true(passes("257", "openat", 257));
	assert_false(passes("257", "read", 0));
	assert_true(passes("?nosuchcall,read", "read", 0));
	assert_false(passes("?%nosuchclass", "read", 0));
	assert_true(filter__passes(NULL, &(struct syscall_row){ .name = "read" }));
}

static void assert_refused(const char *expression, const char *expected)
{
	char *reason = NULL;

	assert_null(filter__parse(expression, &reason));
	if (!strstr(reason, expected))
		fail_msg("%s: %s", expression, reason);
	free(reason);
}

static void test_refused(void **state)
{
	assert_refused("raed", "no system call is named raed");
	assert_refused("creds", "%creds");
	assert_refused("%nosuchclass", "no class");
	assert_refused("", "empty");
	assert_refused("read,,write", "empty");
	assert_refused("!", "empty");
	assert_refused("/(", "regular expression");
	assert_refused("signal=SIGCHLD", "only trace=SET");
	assert_refused("12x", "number");
	assert_refused("99999999999", "number");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),  cmocka_unit_test(test_negation),
		cmocka_unit_test(test_classes), cmocka_unit_test(test_others),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
