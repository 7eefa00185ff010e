// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles of a watch: names of their files, which are kept, and the log that they are made of. */
#include "source/copy_log.h"
#include "report/watch/watch_profile_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static void test_name(void **state)
{
	char *name = watch_profile_files__name(1769903999.25, 4711);
	char *later = watch_profile_files__name(1769904000, 7);

	assert_string_equal(name, "forktax-copies-20260131T235959.250000000Z-4711.pb.gz");
	assert_true(watch_profile_files__is_name(name));
	assert_true(strcmp(name, later) < 0);
	free(name);
	free(later);
}

static void test_other_names(void **state)
{
	static const char *const others[] = {
		"", "forktax-copies-", "forktax.prom", ".forktax.a1b2c3",
		"forktax-copies-20260131T235959.250000000Z-4711.pb",
		"forktax-copies-20260131T235959.250000000Z-4711.pb.gz~",
		"forktax-copies-20260131T235959.250000000Z-.pb.gz",
		"forktax-copies-20260131T235959Z-4711.pb.gz",
		"forktax-copies-2026013xT235959.250000000Z-4711.pb.gz",
		"my-forktax-copies-20260131T235959.250000000Z-4711.pb.gz",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(watch_profile_files__is_name(others[i]));
}

static void make(const char *directory, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	close(open(path, O_CREAT | O_WRONLY, 0600));
}

static bool is_there(const char *directory, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return !access(path, F_OK);
}

static void test_keep(void **state)
{
	static const char *const names[] = {
		"forktax-copies-20260101T000000.000000000Z-9.pb.gz",
		"forktax-copies-20260101T000001.000000000Z-10.pb.gz",
		"forktax-copies-20260101T000001.500000000Z-1.pb.gz",
		"other", "forktax-copies-19990101T000000.000000000Z-9.pb.gz.old",
	};
	char directory[] = "/tmp/forktax-test-XXXXXX", *message = NULL;

	assert_non_null(mkdtemp(directory));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		make(directory, names[i]);
	assert_int_equal(watch_profile_files__keep(directory, 3, &message), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_true(is_there(directory, names[i]));
	assert_int_equal(watch_profile_files__keep(directory, 1, &message), 0);
	assert_false(is_there(directory, names[0]));
	assert_false(is_there(directory, names[1]));
	for (size_t i = 2; i < sizeof(names) / sizeof(names[0]); i++)
		assert_true(is_there(directory, names[i]));
	assert_int_equal(remove_directory(directory), 0);
	assert_int_equal(watch_profile_files__keep(directory, 1, &message), -1);
	assert_non_null(strstr(message, "No such file or directory"));
	free(message);
}

static struct copy_stack *stack_at(uint64_t offset)
{
	struct copy_stack *stack = calloc(1, sizeof(*stack));

	stack->count = 2;
	for (int i = 0; i < 2; i++) {
		stack->frames[i].is_known = 1;
		memset(stack->frames[i].build_id, 7, sizeof(stack->frames[i].build_id));
		stack->frames[i].offset = offset + i;
	}
	return stack;
}

static void add(struct copy_log *log, const char *unit, uint64_t stack, enum copy_place place, uint64_t copies)
{
	struct unit_copies some = {
		.key = { .stack = stack, .birth = BIRTH_FORK, .place = place },
		.copies = copies,
		.stack = stack && stack != UINT64_MAX ? stack_at(stack * 16) : NULL,
	};

	copy_log__add(log, unit, &some);
	free(some.stack);
}

static void test_log(void **state)
{
	struct copy_log log = { 0 };
	struct copy_profile *profile;

	add(&log, "a", 1, COPY_BY_STACK, 10);
	add(&log, "b", 1, COPY_BY_STACK, 1);
	add(&log, "a", 1, COPY_BY_STACK, 5);
	add(&log, "a", 0, COPY_IN_KERNEL, 3);
	add(&log, "a", UINT64_MAX, COPY_BY_STACK, 2); /* its stack found no room in the kernel half */
	profile = copy_log__profile(&log);
	assert_int_equal(profile->sample_count, 4);
	assert_int_equal(profile->samples[0].copies, 15);
	assert_int_equal(profile->samples[1].copies, 1);
	assert_int_equal(profile->samples[0].stack, profile->samples[1].stack);
	assert_int_equal(profile->samples[2].place, COPY_IN_KERNEL);
	assert_int_equal(profile->samples[3].place, COPY_UNKNOWN);
	assert_int_equal(profile->samples[3].stack, NO_STACK);
	assert_int_equal(profile->object_count, 1);
	assert_int_equal(profile->stacks->frame_count, 2);
	assert_int_equal(profile->stacks->frames[1].place.offset, 17);
	copy_profile__free(profile);
	copy_log__release(&log);
}

/* What has no room is counted without its stack. */
static void test_log_is_bounded(void **state)
{
	struct copy_log log = { 0 };
	struct copy_profile *profile;
	uint64_t sum = 0, unknown = 0;

	for (uint64_t i = 1; i <= COPY_LOG_STACKS + 100; i++)
		add(&log, "a", i, COPY_BY_STACK, 1);
	profile = copy_log__profile(&log);
	assert_int_equal(profile->stacks->count, COPY_LOG_STACKS);
	for (size_t i = 0; i < profile->sample_count; i++) {
		sum += profile->samples[i].copies;
		unknown += profile->samples[i].place == COPY_UNKNOWN ? profile->samples[i].copies : 0;
	}
	assert_int_equal(sum, COPY_LOG_STACKS + 100);
	assert_int_equal(unknown, 100);
	copy_profile__free(profile);
	copy_log__release(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_other_names),
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_log_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
