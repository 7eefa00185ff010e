// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "model/words/syscall_names.h"
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

static void test_names_of_other_machines(void **state)
{
	assert_string_equal(syscall_name(ABI_ARM, 0xf0001), "breakpoint");
	assert_string_equal(syscall_name(ABI_ARM, 0xf0002), "cacheflush");
	assert_string_equal(syscall_name(ABI_ARM, 0xf0005), "set_tls");
	assert_string_equal(syscall_name(ABI_ARM, 0xf0006), "get_tls");
	assert_null(syscall_name(ABI_ARM, 0xf0000));
	assert_null(syscall_name(ABI_ARM, 0xf0007));
	assert_null(syscall_name(ABI_AARCH64, 0xf0005));
	assert_int_equal(syscall_number(ABI_ARM, "set_tls"), 0xf0005);
	assert_int_equal(syscall_number(ABI_AARCH64, "set_tls"), -1);
	assert_true(passes("set_tls", "set_tls", 0xf0005));
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
	assert_refused("status=detached", "under way");
	assert_refused("status=sad", "there are successful, failed and unfinished");
	assert_refused("status=failed,", "no status is named \"\"");
	assert_refused("12x", "number");
	assert_refused("99999999999", "number");
}

static struct filter *parse(const char *expression)
{
	char *reason;
	struct filter *filter = filter__parse(expression, &reason);

	if (!filter)
		fail_msg("%s: %s", expression, reason);
	return filter;
}

/* Ten calls of the program, two of ld.so; three and one failed, one never returned, one was denied. */
static struct syscall_row mixed_row(void)
{
	static struct call_errno errnos[] = {
		{ "ENOENT", { [ACTOR_PROGRAM] = 3, [ACTOR_LDSO] = 1 } },
	};

	return (struct syscall_row){
		.name = "openat",
		.calls = { [ACTOR_PROGRAM] = 10, [ACTOR_LDSO] = 2 },
		.errors = { [ACTOR_PROGRAM] = 3, [ACTOR_LDSO] = 1 },
		.unfinished = { [ACTOR_PROGRAM] = 1 },
		.denied = { [ACTOR_PROGRAM] = 1 },
		.time_ns = { [ACTOR_PROGRAM] = 99 },
		.min_ns = 1, .max_ns = 90, .p99_ns = 90,
		.errnos = errnos, .errno_count = 1,
	};
}

static void expect_counts(const char *expression, uint64_t program, uint64_t ldso, bool failed)
{
	struct filter *filter = parse(expression);
	struct syscall_row whole = mixed_row(), row = filter__reduce(filter, &whole);

	assert_true(filter__has_status(filter));
	assert_true(filter__passes(filter, &row));
	assert_int_equal(row.calls[ACTOR_PROGRAM], program);
	assert_int_equal(row.calls[ACTOR_LDSO], ldso);
	assert_int_equal(syscall_row__sum(row.errors), failed ? 4 : 0);
	assert_int_equal(row.errno_count, failed);
	assert_int_equal(syscall_row__sum(row.denied), failed);
	assert_int_equal(syscall_row__sum(row.time_ns), 0);
	assert_true(row.max_ns == ABSENT);
	filter__free(filter);
}

static void test_status(void **state)
{
	expect_counts("status=successful", 6, 1, false);
	expect_counts("status=failed", 3, 1, true);
	expect_counts("status=unfinished", 1, 0, false);
	expect_counts("status=successful,failed", 9, 2, true);
	expect_counts("status=!failed", 7, 1, false);
	expect_counts("status=all", 10, 2, true);
	expect_counts("status=!none", 10, 2, true);
	expect_counts("status=unavailable", 0, 0, false);
}

static void test_all_of_a_row(void **state)
{
	struct filter *filter = parse("openat");
	struct syscall_row whole = mixed_row(), row = filter__reduce(filter, &whole);

	assert_false(filter__has_status(filter));
	assert_int_equal(row.calls[ACTOR_PROGRAM], 10);
	assert_int_equal(row.max_ns, 90);
	filter__free(filter);
}

/* Of each qualifier the last one counts. */
static void test_join(void **state)
{
	struct filter *filter = filter__join(NULL, parse("status=failed"));
	struct syscall_row row = mixed_row();

	filter = filter__join(filter, parse("!openat"));
	assert_false(filter__passes(filter, &row));
	filter = filter__join(filter, parse("openat,read"));
	filter = filter__join(filter, parse("status=unfinished"));
	assert_true(filter__passes(filter, &row));
	row.name = "write";
	assert_false(filter__passes(filter, &row));
	assert_int_equal(filter__reduce(filter, &row).calls[ACTOR_PROGRAM], 1);
	filter__free(filter);
}

static void expect_suits(const char *expression, bool outcomes, bool expected)
{
	struct filter *filter = parse(expression);

	assert_int_equal(filter__suits(filter, &(struct run){ .outcomes = outcomes }), expected);
	filter__free(filter);
}

/* Which calls failed is known of every run, but not of every run which of the others returned. */
static void test_suits(void **state)
{
	expect_suits("status=failed", false, true);
	expect_suits("openat", false, true);
	expect_suits("status=successful", false, false);
	expect_suits("status=unfinished", false, false);
	expect_suits("status=!failed", true, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_names_of_other_machines),  cmocka_unit_test(test_negation),
		cmocka_unit_test(test_classes), cmocka_unit_test(test_others),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_status),
		cmocka_unit_test(test_all_of_a_row), cmocka_unit_test(test_join),
		cmocka_unit_test(test_suits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
