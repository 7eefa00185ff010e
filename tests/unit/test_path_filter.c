// SPDX-License-Identifier: GPL-2.0-or-later
/* Which calls access a path (-P), and that a run then has the counts of these alone. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/text.h"
#include "source/calls/call_stream.h"
#include "source/calls/path_filter.h"

static struct run *run;
static struct call_stream *stream;

static void begin_with(const char *path)
{
	run = run__new();
	path_filter__choose(run, (char *const[]){ (char *)path }, 1);
	stream = call_stream__new(run, CALLS_FOR_PATHS);
	call_stream__directory(stream, 1, "/home", 0);
}

static int begin(void **state)
{
	begin_with("/home/chosen");
	return 0;
}

static int end(void **state)
{
	call_stream__free(stream);
	run__free(run);
	return 0;
}

static void call_of(uint64_t process, const char *name, int64_t result, const char *path, uint64_t a,
		    uint64_t b)
{
	const struct call_record record = {
		.process = process, .name = name, .actor = ACTOR_LDSO, .returned = true, .time_ns = 10,
		.result = result, .arguments = { a, b, 0, 0, UINT64_MAX }, .known = 0x3f,
		.paths = { path }, .path_states = { path ? PATH_WHOLE : PATH_NONE },
	};

	call_stream__call(stream, &record);
}

static void call(const char *name, int64_t result, const char *path, uint64_t a, uint64_t b)
{
	call_of(1, name, result, path, a, b);
}

static void two_paths(const char *name, const char *from, const char *to)
{
	const struct call_record record = {
		.process = 1, .name = name, .actor = ACTOR_PROGRAM, .returned = true, .time_ns = ABSENT,
		.known = 0x3f, .paths = { from, to }, .path_states = { PATH_WHOLE, PATH_WHOLE },
	};

	call_stream__call(stream, &record);
}

static void map(int descriptor)
{
	const struct call_record record = {
		.process = 1, .name = "mmap", .actor = ACTOR_PROGRAM, .returned = true, .result = 4096,
		.time_ns = ABSENT, .arguments = { 0, 4096, 0, 0, (uint32_t)descriptor }, .known = 0x3f,
	};

	call_stream__call(stream, &record);
}

/* The run has its groups in the order of their numbers. */
static void finish(void)
{
	static const uint32_t positions[] = { NO_GROUP, 0, 1 };

	call_stream__finish(stream, positions, sizeof(positions) / sizeof(positions[0]));
}

static uint64_t calls(const char *name)
{
	const struct syscall_row *row = syscall_table__find(&run->table, name, ABI_NATIVE);

	return row ? syscall_row__sum(row->calls) : 0;
}

static void test_names_are_compared_from_their_directory(void **state)
{
	call("stat", 0, "/home/chosen", 0, 0);
	call("stat", 0, "chosen", 0, 0);
	call("stat", -ENOENT, "./chosen", 0, 0);
	call("stat", 0, "/home/chosen2", 0, 0);
	call("stat", 0, "/chosen", 0, 0);
	call("chdir", 0, "/elsewhere", 0, 0);
	call("stat", 0, "chosen", 0, 0);
	call("stat", 0, "../home/chosen", 0, 0);
	two_paths("rename", "/home/chosen", "/x");
	two_paths("rename", "/x", "/home/chosen");
	two_paths("rename", "/x", "/y");
	call("getpid", 1, NULL, 0, 0);
	finish();
	assert_int_equal(calls("stat"), 4);
	assert_int_equal(calls("rename"), 2);
	assert_int_equal(run->table.count, 2);
	assert_int_equal(syscall_table__errors(&run->table), 1);
	assert_string_equal(run->table.rows[0].errnos[0].name, "ENOENT");
	assert_true(run__is_exact(run));
}

static void test_descriptors_are_followed(void **state)
{
	call("openat", 3, "chosen", AT_FDCWD, 0);
	call("openat", 4, "other", AT_FDCWD, 0);
	call("lseek", 0, NULL, 3, 0);
	call("lseek", 0, NULL, 4, 0);
	call("dup", 5, NULL, 3, 0);
	call("dup2", 4, NULL, 5, 4); /* 4 is the chosen one from here on */
	call("close", 0, NULL, 3, 0);
	call("openat", 3, "other", AT_FDCWD, 0);
	call("read", 7, NULL, 3, 0);
	call("read", 7, NULL, 4, 0);
	call("fcntl", 6, NULL, 5, F_DUPFD);
	map(6);
	map(3);
	map(-1);
	call("dup2", 6, NULL, 3, 6); /* closes 6, which was the chosen one */
	call("read", 7, NULL, 6, 0);
	finish();
	assert_int_equal(calls("openat"), 1);
	assert_int_equal(calls("lseek"), 1);
	assert_int_equal(calls("dup"), 1);
	assert_int_equal(calls("dup2"), 2);
	assert_int_equal(calls("close"), 1);
	assert_int_equal(calls("read"), 1);
	assert_int_equal(calls("fcntl"), 1);
	assert_int_equal(calls("mmap"), 1);
	assert_int_equal(syscall_table__calls(&run->table), 9);
	assert_true(run__is_exact(run));
}

static void test_a_file_may_be_opened_by_the_number_of_a_descriptor(void **state)
{
	call("openat", 3, "chosen", AT_FDCWD, 0);
	call("openat", 4, "/proc/self/fd/3", AT_FDCWD, 0);
	call("read", 1, NULL, 4, 0);
	call("openat", 5, "/dev/fd/4", AT_FDCWD, 0);
	call("read", 1, NULL, 5, 0);
	call("dup2", 0, NULL, 5, 0);
	call("open", 6, "/dev/stdin", 0, 0);
	call("read", 1, NULL, 6, 0);
	call("openat", 7, "/dev/fd/3/inside", AT_FDCWD, 0);
	call("read", 1, NULL, 7, 0);
	assert_int_equal(run->integrity.losses[LOSS_UNSURE_CALLS], 0);
	call("openat", 8, "/dev/fd/55", AT_FDCWD, 0); /* of which nobody knows */
	call("read", 1, NULL, 8, 0);
	call("openat", 9, "/proc/77/fd/3", AT_FDCWD, 0);
	call("read", 1, NULL, 9, 0);
	finish();
	assert_int_equal(calls("openat"), 1);
	assert_int_equal(calls("read"), 3);
	assert_int_equal(run->integrity.losses[LOSS_UNSURE_CALLS], 2);
}

static void test_a_range_names_no_descriptor(void **state)
{
	call("openat", 3, "chosen", AT_FDCWD, 0);
	call("close_range", 0, NULL, 3, 9);
	call("openat", 3, "other", AT_FDCWD, 0);
	call("read", 1, NULL, 3, 0);
	finish();
	assert_int_equal(syscall_table__calls(&run->table), 1);
	assert_true(run__is_exact(run));
}

static void test_a_directory_is_accessed_through_its_descriptor(void **state)
{
	call("openat", 3, "chosen", AT_FDCWD, O_DIRECTORY);
	call("newfstatat", 0, "inside", 3, 0);
	call("newfstatat", 0, "/home/chosen/inside", AT_FDCWD, 0);
	finish();
	assert_int_equal(calls("newfstatat"), 1);
}

static void test_times(void **state)
{
	call("stat", 0, "/home/chosen", 0, 0);
	call("stat", 0, "/home/chosen", 0, 0);
	finish();
	assert_int_equal(run->table.rows[0].time_ns[ACTOR_LDSO], 20);
	assert_int_equal(run->table.rows[0].min_ns, 10);
	assert_int_equal(run->table.rows[0].p99_ns, 10);
	assert_int_equal(run->table.rows[0].buckets[0].low_ns, 8);
	assert_int_equal(run->table.rows[0].buckets[0].calls, 2);
}

/* A run as its source has filled it: with the counts of all calls. */
static void fill_run(void)
{
	run->group_count = 1;
	run->groups = calloc(1, sizeof(*run->groups));
	run->groups[0].children = 3;
	run->groups[0].of[METRIC_SYSCALLS] = (struct distribution){ .total = 99, .max = 33 };
	run->process_count = 1;
	run->processes = calloc(1, sizeof(*run->processes));
	run->processes[0] = (struct process){ .id = 2, .birth = BIRTH_FORK, .image_count = 2 };
	run->processes[0].images = calloc(2, sizeof(struct image));
	run->processes[0].images[0].syscalls = run->processes[0].images[1].syscalls = 50;
}

static void test_every_count_of_the_run_is_replaced(void **state)
{
	call("openat", 3, "chosen", AT_FDCWD, 0);
	for (uint64_t child = 2; child <= 4; child++)
		call_stream__fork(stream, 1, child, false);
	call_of(2, "read", 1, NULL, 3, 0);
	call_stream__exec(stream, 2);
	call_of(2, "read", 1, NULL, 3, 0);
	call_of(2, "close", 0, NULL, 3, 0);
	call_of(3, "read", 1, NULL, 3, 0);
	call_of(4, "getpid", 1, NULL, 0, 0);
	for (uint64_t child = 2; child <= 4; child++)
		call_stream__exit(stream, child, 1);
	fill_run();
	finish();
	assert_int_equal(syscall_table__calls(&run->root_table), 1);
	assert_int_equal(syscall_table__calls(&run->groups[0].table), 4);
	assert_int_equal(syscall_table__calls(&run->table), 5);
	assert_int_equal(run->groups[0].of[METRIC_SYSCALLS].total, 4);
	assert_int_equal(run->groups[0].of[METRIC_SYSCALLS].min, 0);
	assert_int_equal(run->groups[0].of[METRIC_SYSCALLS].median, 1);
	assert_int_equal(run->groups[0].of[METRIC_SYSCALLS].max, 3);
	assert_int_equal(run->processes[0].images[0].syscalls, 1);
	assert_int_equal(run->processes[0].images[1].syscalls, 2);
}

static void test_what_is_not_known_is_not_exact(void **state)
{
	call("read", 1, NULL, 55, 0); /* of which nobody knows */
	call("read", -EBADF, NULL, 56, 0);
	call("poll", 1, NULL, 0, 0);
	finish();
	assert_int_equal(run->table.count, 0);
	assert_int_equal(run->integrity.losses[LOSS_UNSURE_CALLS], 1);
	assert_false(run__is_exact(run));
}

static void test_poll_with_the_file_open_is_not_exact(void **state)
{
	call("openat", 3, "chosen", AT_FDCWD, 0);
	call("poll", 1, NULL, 0, 0);
	call("close", 0, NULL, 3, 0);
	call("poll", 1, NULL, 0, 0);
	finish();
	assert_int_equal(calls("poll"), 0);
	assert_int_equal(run->integrity.losses[LOSS_UNSURE_CALLS], 1);
}

static void test_relative_names_below_an_unknown_directory(void **state)
{
	call_of(7, "stat", 0, "other", 0, 0);
	assert_int_equal(run->integrity.losses[LOSS_UNSURE_CALLS], 0);
	call_of(7, "stat", 0, "chosen", 0, 0);
	call_of(7, "stat", 0, "../chosen", 0, 0);
	finish();
	assert_int_equal(calls("stat"), 0);
	assert_int_equal(run->integrity.losses[LOSS_UNSURE_CALLS], 2);
}

static void test_calls_that_were_missed_are_said(void **state)
{
	call_stream__missed(stream, 3);
	finish();
	assert_false(run__is_exact(run));
	assert_non_null(strstr(run->integrity.notes[0], "3 calls"));
}

/* Opened by a link, a file has the name without it; of names themselves only the text counts. */
static void test_links(void **state)
{
	char directory[] = "/tmp/forktax-path-filter-XXXXXX";
	char *file, *link;

	assert_non_null(mkdtemp(directory));
	file = text__of("%s/file", directory);
	link = text__of("%s/link", directory);
	close(creat(file, 0600));
	assert_int_equal(symlink("file", link), 0);
	begin_with(file);
	call_stream__free(stream);
	run->kernel = strdup("6.1"); /* it runs here: links can be looked up */
	stream = call_stream__new(run, CALLS_FOR_PATHS);
	call("openat", 3, link, AT_FDCWD, 0);
	call("read", 1, NULL, 3, 0);
	finish();
	assert_int_equal(calls("openat"), 0);
	assert_int_equal(calls("read"), 1);
	end(state);
	begin_with(link);
	assert_string_equal(run->paths[0].resolved, file);
	call("openat", 3, link, AT_FDCWD, 0);
	call("stat", 0, file, 0, 0);
	finish();
	assert_int_equal(syscall_table__calls(&run->table), 2);
	end(state);
	unlink(link);
	unlink(file);
	rmdir(directory);
	free(link);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names_are_compared_from_their_directory, begin, end),
		cmocka_unit_test_setup_teardown(test_descriptors_are_followed, begin, end),
		cmocka_unit_test_setup_teardown(test_a_file_may_be_opened_by_the_number_of_a_descriptor, begin,
						end),
		cmocka_unit_test_setup_teardown(test_a_range_names_no_descriptor, begin, end),
		cmocka_unit_test_setup_teardown(test_a_directory_is_accessed_through_its_descriptor, begin,
						end),
		cmocka_unit_test_setup_teardown(test_times, begin, end),
		cmocka_unit_test_setup_teardown(test_every_count_of_the_run_is_replaced, begin, end),
		cmocka_unit_test_setup_teardown(test_what_is_not_known_is_not_exact, begin, end),
		cmocka_unit_test_setup_teardown(test_poll_with_the_file_open_is_not_exact, begin, end),
		cmocka_unit_test_setup_teardown(test_relative_names_below_an_unknown_directory, begin, end),
		cmocka_unit_test_setup_teardown(test_calls_that_were_missed_are_said, begin, end),
		cmocka_unit_test(test_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
