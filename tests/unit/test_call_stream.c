// SPDX-License-Identifier: GPL-2.0-or-later
/* Which file each descriptor stands for, what is counted of it, and what does not fit. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>

#include "model/files/file_calls.h"
#include "source/calls/call_stream.h"
#include "source/calls/descriptors.h"
#include "source/calls/file_entries.h"
#include "source/calls/file_searches.h"
#include "source/calls/path_table.h"

static struct run *run;
static struct call_stream *stream;

static int begin(void **state)
{
	run = run__new();
	stream = call_stream__new(run, CALLS_FOR_FILES);
	call_stream__directory(stream, 1, "/home", 0);
	return 0;
}

static int end(void **state)
{
	call_stream__free(stream);
	run__free(run);
	return 0;
}

/* A call with up to three arguments, and perhaps a path. */
static void call(uint64_t process, const char *name, int64_t result, const char *path, uint64_t a,
		 uint64_t b, uint64_t c)
{
	const struct call_record record = {
		.process = process, .name = name, .actor = ACTOR_PROGRAM, .returned = true,
		.result = result, .arguments = { a, b, c, 0, UINT64_MAX }, .known = 0x3f,
		.paths = { path }, .path_states = { path ? PATH_WHOLE : PATH_NONE },
	};

	call_stream__call(stream, &record);
}

/* The same between two moments. */
static void call_at(uint64_t entered, uint64_t left, const char *name, int64_t result, const char *path,
		    uint64_t a)
{
	const struct call_record record = {
		.process = 1, .name = name, .actor = ACTOR_PROGRAM, .returned = true, .entered = entered,
		.left = left, .result = result, .arguments = { a }, .known = 0x3f,
		.paths = { path }, .path_states = { path ? PATH_WHOLE : PATH_NONE },
	};

	call_stream__call(stream, &record);
}

static void open_file(uint64_t process, int fd, const char *path, int flags)
{
	call(process, "openat", fd, path, AT_FDCWD, 0, flags);
}

static void read_bytes(uint64_t process, int fd, int64_t bytes)
{
	call(process, "read", bytes, NULL, fd, 0, 0);
}

/* The run has its groups in the order of their numbers. */
static void finish(void)
{
	static const uint32_t positions[] = { NO_GROUP, 0, 1, 2, 3, 4 };

	call_stream__finish(stream, positions, sizeof(positions) / sizeof(positions[0]));
}

static const struct file_row *row_of(const char *path)
{
	for (size_t i = 0; i < run->files->row_count; i++)
		if (run->files->rows[i].path && !strcmp(run->files->rows[i].path, path))
			return &run->files->rows[i];
	fail_msg("no row of %s", path);
	return NULL;
}

static uint64_t bytes_read(const char *path)
{
	return row_of(path)->uses[FILE_READ].bytes;
}

static void test_paths_begin_where_they_should(void **state)
{
	open_file(1, 3, "a", 0);
	open_file(1, 4, "./b", 0);
	call(1, "chdir", 0, "sub", 0, 0, 0);
	open_file(1, 5, "c", 0);
	open_file(1, 6, "/top", 0);
	call(1, "openat", 7, "d", 6, 0, 0);
	call(1, "openat", -EBADF, "e", 66, 0, 0);
	call(1, "fchdir", 0, NULL, 6, 0, 0);
	open_file(1, 8, "f", 0);
	open_file(1, 9, "../.././/up", 0);
	open_file(1, 9, "..", 0);
	call(1, "chdir", 0, "/home/", 0, 0, 0);
	open_file(1, 9, "./..hidden", 0);
	finish();
	row_of("/home/a");
	row_of("/home/b");
	row_of("/home/sub/c");
	row_of("/top/d");
	row_of("/top/f");
	row_of("/up");
	row_of("/");
	row_of("/home/..hidden");
	assert_int_equal(row_of("e")->errors[0].number, EBADF);
}

static void test_descriptors_are_followed(void **state)
{
	open_file(1, 3, "one", 0);
	call(1, "dup", 4, NULL, 3, 0, 0);
	call(1, "fcntl", 10, NULL, 4, F_DUPFD, 10);
	call(1, "close", 0, NULL, 3, 0, 0);
	open_file(1, 3, "two", 0);
	read_bytes(1, 4, 100);
	read_bytes(1, 10, 20);
	read_bytes(1, 3, 3);
	call(1, "dup2", 4, NULL, 3, 4, 0);
	read_bytes(1, 4, 4);
	call(1, "close_range", 0, NULL, 4, 9, 0);
	read_bytes(1, 4, -EBADF);
	read_bytes(1, 10, 1000);
	finish();
	assert_int_equal(bytes_read("/home/one"), 1120);
	assert_int_equal(bytes_read("/home/two"), 7);
	assert_int_equal(row_of("4")->kind, FILE_DESCRIPTOR);
	assert_int_equal(row_of("4")->uses[FILE_READ].errors, 1);
}

static void test_fork_copies_and_execve_closes(void **state)
{
	open_file(1, 3, "kept", 0);
	open_file(1, 4, "closed", O_CLOEXEC);
	call_stream__fork(stream, 1, 2, false);
	open_file(2, 3, "own", 0);
	read_bytes(2, 4, 40);
	read_bytes(1, 3, 3);
	call_stream__exec(stream, 2);
	read_bytes(2, 4, -EBADF);
	read_bytes(2, 3, 30);
	read_bytes(1, 4, 4);
	call_stream__exit(stream, 2, 0);
	finish();
	assert_int_equal(bytes_read("/home/kept"), 3);
	assert_int_equal(bytes_read("/home/own"), 30);
	assert_int_equal(bytes_read("/home/closed"), 44);
	assert_int_equal(row_of("4")->uses[FILE_READ].errors, 1);
}

static void test_tables_are_shared_until_execve(void **state)
{
	call_stream__fork(stream, 1, 2, true);
	open_file(2, 3, "shared", 0);
	read_bytes(1, 3, 5);
	call_stream__exec(stream, 2);
	call(2, "close", 0, NULL, 3, 0, 0);
	read_bytes(1, 3, 6);
	finish();
	assert_int_equal(bytes_read("/home/shared"), 11);
}

static void test_what_was_open_before(void **state)
{
	call_stream__descriptor(stream, 1, 0, "/dev/tty", false, 0);
	call_stream__descriptor(stream, 1, 5, "pipe:[4711]", false, 0);
	read_bytes(1, 0, 1);
	read_bytes(1, 5, 2);
	finish();
	assert_int_equal(bytes_read("/dev/tty"), 1);
	assert_int_equal(bytes_read("pipe:"), 2);
}

/*
 * What a process has open is read at 20, in the middle of its calls: 5 and 7 lead then to what they are said to. An
 * earlier call may have used something else there; what it has opened earlier is not newer.
 */
static void test_what_was_open_in_the_middle(void **state)
{
	call_stream__directory(stream, 1, "/now", 20);
	call_stream__descriptor(stream, 1, 5, "/now/five", false, 20);
	call_stream__descriptor(stream, 1, 7, "/now/seven", false, 20);
	call_at(10, 11, "read", 1, NULL, 5);
	call_at(12, 13, "close", 0, NULL, 5);
	call_at(14, 15, "openat", 5, "other", (uint32_t)AT_FDCWD);
	call_at(21, 22, "read", 10, NULL, 5);
	call_at(23, 24, "read", 100, NULL, 7);
	finish();
	assert_int_equal(bytes_read("/now/five"), 10);
	assert_int_equal(bytes_read("/now/seven"), 100);
	assert_int_equal(row_of("5")->kind, FILE_DESCRIPTOR);
	assert_int_equal(bytes_read("5"), 1);
}

static void test_groups(void **state)
{
	static const uint32_t positions[] = { NO_GROUP, 1, 0 };

	for (uint64_t process = 2; process < 5; process++) {
		call_stream__fork(stream, 1, process, false);
		open_file(process, 3, "common", 0);
	}
	call_stream__exit(stream, 2, 1);
	call_stream__exit(stream, 3, 2);
	call_stream__exit(stream, 4, 2);
	open_file(1, 3, "common", 0);
	call_stream__exit(stream, 1, 0);
	call_stream__finish(stream, positions, 3);
	assert_int_equal(run->files->row_count, 3);
	assert_int_equal(run->files->rows[0].group, 0);
	assert_int_equal(run->files->rows[0].uses[FILE_OPENED].calls, 2);
	assert_int_equal(run->files->rows[1].group, 1);
	assert_int_equal(run->files->rows[1].uses[FILE_OPENED].calls, 1);
	assert_int_equal(run->files->rows[2].group, NO_GROUP);
}

static void test_groups_of_processes_that_the_run_lists(void **state)
{
	run->processes = calloc(2, sizeof(*run->processes));
	run->process_count = 2;
	run->processes[0] = (struct process){ .id = 1, .group = NO_GROUP };
	run->processes[1] = (struct process){ .id = 2, .group = 4 };
	call_stream__fork(stream, 1, 2, false);
	open_file(2, 3, "child", 0);
	open_file(1, 3, "root", 0);
	finish();
	assert_int_equal(row_of("/home/child")->group, 4);
	assert_int_equal(row_of("/home/root")->group, NO_GROUP);
}

static const struct file_row *row_of_process(uint64_t process, const char *path)
{
	for (size_t i = 0; i < run->files->row_count; i++)
		if (run->files->rows[i].process == process && run->files->rows[i].path &&
		    !strcmp(run->files->rows[i].path, path))
			return &run->files->rows[i];
	return NULL;
}

static int begin_by_process(void **state)
{
	begin(state);
	call_stream__free(stream);
	run->all_processes = true;
	stream = call_stream__new(run, CALLS_FOR_FILES);
	return 0;
}

static void test_processes(void **state)
{
	static const uint32_t positions[] = { NO_GROUP, 0 };

	for (uint64_t process = 2; process < 4; process++) {
		call_stream__fork(stream, 1, process, false);
		open_file(process, 3, "/common", 0);
		read_bytes(process, 3, (int64_t)process);
	}
	call_stream__exit(stream, 3, 1);
	call_stream__exit(stream, 2, 1);
	open_file(1, 3, "/common", 0);
	call_stream__exit(stream, 1, 0);
	call_stream__finish(stream, positions, 2);
	assert_int_equal(run->files->row_count, 3);
	assert_int_equal(run->files->rows[0].process, 2);
	assert_int_equal(row_of_process(2, "/common")->uses[FILE_READ].bytes, 2);
	assert_int_equal(row_of_process(3, "/common")->uses[FILE_READ].bytes, 3);
	assert_int_equal(row_of_process(3, "/common")->group, 0);
	assert_int_equal(row_of_process(1, "/common")->group, NO_GROUP);
	assert_int_equal(run->files->processes_left_out, 0);
}

/* Each has as many files as a quarter of the rows: the third finds no room for its own. */
static void test_processes_beyond_the_room(void **state)
{
	char path[32];

	for (uint64_t process = 2; process < 5; process++) {
		for (int i = 0; i < ENTRIES_MOST / 4; i++) {
			snprintf(path, sizeof(path), "/%d", i);
			open_file(process, 3, path, 0);
		}
		call_stream__exit(stream, process, 0);
	}
	finish();
	assert_int_equal(files__calls(run->files, FILE_OPENED), 3 * (ENTRIES_MOST / 4));
	assert_non_null(row_of_process(3, "/7"));
	assert_null(row_of_process(4, "/7"));
	assert_int_equal(row_of_process(0, "/7")->uses[FILE_OPENED].calls, 1);
	assert_int_equal(run->files->processes_left_out, 1);
	assert_non_null(strstr(run->integrity.notes[0], "the files of 1 process"));
}

static void test_searches(void **state)
{
	open_file(1, -ENOENT, "/a/lib", 0);
	call(1, "stat", -ENOENT, "/a", 0, 0, 0); /* the directory that was just looked in */
	open_file(1, -ENOENT, "/b/lib", 0);
	open_file(1, 3, "/c/lib", 0);
	open_file(1, -ENOENT, "/a/gone", 0);
	open_file(1, -ENOTDIR, "/b/gone", 0);
	open_file(1, -EACCES, "/c/gone", 0);
	open_file(1, -ENOENT, "/polled", 0);
	open_file(1, -ENOENT, "/polled", 0);
	open_file(1, 4, "/polled", 0);
	open_file(1, -ENOENT, "/a/never", 0);
	open_file(1, -ENOENT, "/b/never", 0);
	finish();
	assert_int_equal(run->files->search_count, 3);
	assert_string_equal(run->files->searches[0].name, "gone");
	assert_int_equal(run->files->searches[0].failures, 3);
	assert_null(run->files->searches[0].found);
	assert_string_equal(run->files->searches[1].name, "lib");
	assert_int_equal(run->files->searches[1].failures, 2);
	assert_string_equal(run->files->searches[1].first, "/a/lib");
	assert_string_equal(run->files->searches[1].found, "/c/lib");
	assert_string_equal(run->files->searches[2].name, "never");
}

static void test_what_does_not_fit_is_counted(void **state)
{
	char path[32];

	for (int i = 0; i < PATHS_MOST + 10; i++) {
		snprintf(path, sizeof(path), "/%d", i);
		open_file(1, 3, path, 0);
	}
	for (int i = 0; i < 2 * (SEARCHES_MOST + 5); i++) {
		snprintf(path, sizeof(path), "/%d/%d", i % 2, i / 2);
		open_file(1, -ENOENT, path, 0);
	}
	call_stream__missed(stream, 7);
	finish();
	assert_int_equal(files__calls(run->files, FILE_OPENED),
			 PATHS_MOST + 10 + 2 * (SEARCHES_MOST + 5));
	assert_true(run->files->paths_left_out >= 10);
	assert_true(run->files->row_count <= PATHS_MOST);
	assert_int_equal(run->files->missed, 7);
	assert_int_equal(run->integrity.note_count, 2);
}

static void test_a_descriptor_beyond_the_bound_is_not_followed(void **state)
{
	open_file(1, DESCRIPTORS_MOST, "far", 0);
	open_file(1, INT32_MAX, "farther", 0);
	read_bytes(1, DESCRIPTORS_MOST, 1);
	finish();
	assert_int_equal(row_of("65536")->kind, FILE_DESCRIPTOR);
}

static void test_a_close_that_fails_has_closed(void **state)
{
	open_file(1, 3, "one", 0);
	call(1, "close", -EINTR, NULL, 3, 0, 0);
	read_bytes(1, 3, -EBADF);
	open_file(1, 4, "two", 0);
	call(1, "close", -EBADF, NULL, 4, 0, 0); /* by one who has another table */
	read_bytes(1, 4, 2);
	finish();
	assert_int_equal(row_of("3")->uses[FILE_READ].errors, 1);
	assert_int_equal(bytes_read("/home/two"), 2);
}

static void test_what_is_used_while_it_is_closed(void **state)
{
	call_at(10, 11, "open", 3, "/one", 0);
	call_at(20, 21, "close", 0, NULL, 3);
	call_at(15, 30, "read", 1, NULL, 3); /* it slept when that happened */
	call_at(15, 30, "read", -EBADF, NULL, 3); /* this one came late */
	call_at(40, 41, "chdir", 0, "/there", 0);
	call_at(39, 42, "open", 4, "where", 0); /* in which directory? */
	call_at(43, 44, "open", 5, "here", 0);
	finish();
	assert_int_equal(bytes_read("/one"), 1);
	assert_int_equal(row_of("/one")->uses[FILE_READ].errors, 0);
	assert_int_equal(row_of("3")->uses[FILE_READ].errors, 1);
	row_of("where");
	row_of("/there/here");
}

/* Lines of a log that had to wait come when others have used the number again. */
static void test_calls_that_come_late(void **state)
{
	call_at(50, 51, "open", 3, "/new", 0);
	call_at(10, 11, "open", 3, "/old", 0);
	call_at(60, 61, "read", 1, NULL, 3);
	call_at(70, 71, "close", 0, NULL, 3);
	call_at(55, 56, "open", 3, "/old", 0);
	call_at(80, 81, "read", 2, NULL, 3);
	finish();
	assert_int_equal(bytes_read("/new"), 1);
	assert_int_equal(bytes_read("3"), 2);
}

/* Of all processes together: a log may say that each of thousands has opened number 65535. */
static void test_tables_are_bounded_together(void **state)
{
	enum { FIT = DESCRIPTORS_IN_ALL / DESCRIPTORS_MOST };

	for (uint64_t process = 2; process < 2 + FIT + 3; process++)
		open_file(process, DESCRIPTORS_MOST - 1, "/far", 0);
	read_bytes(2, DESCRIPTORS_MOST - 1, 1);
	read_bytes(2 + FIT, DESCRIPTORS_MOST - 1, 10);
	call_stream__exit(stream, 2, 0); /* makes room for one */
	open_file(3, 3, "/near", 0);
	call_stream__fork(stream, 3, 100, false);
	read_bytes(100, 3, 100);
	call_stream__fork(stream, 3, 101, false);
	read_bytes(101, 3, 1000);
	finish();
	assert_int_equal(bytes_read("/far"), 1);
	assert_int_equal(bytes_read("65535"), 10);
	assert_int_equal(bytes_read("/near"), 100);
	assert_int_equal(bytes_read("3"), 1000);
	assert_int_equal(run->integrity.note_count, 1);
	assert_non_null(strstr(run->integrity.notes[0], "5 descriptors were not followed")); /* 3, and 2 of a copy */
}

static void test_what_is_not_known(void **state)
{
	const struct call_record unread = {
		.process = 1, .name = "open", .returned = true, .result = -EFAULT, .known = 0x3f,
		.path_states = { PATH_UNREADABLE }, .actor = ACTOR_COUNT,
	};
	const struct call_record denied = { .process = 1, .name = "open", .denied = true };
	const struct call_record anonymous = {
		.process = 1, .name = "mmap", .returned = true, .known = 0x3f,
		.arguments = { 0, 4096, 0, 0, UINT32_MAX },
	};
	const struct call_record no_numbers = { .process = 1, .name = "read", .returned = true,
						.result = 5, .actor = ACTOR_PROGRAM };

	call_stream__call(stream, &unread);
	call_stream__call(stream, &denied);
	call_stream__call(stream, &anonymous);
	call_stream__call(stream, &no_numbers);
	call(1, "getpid", 1, NULL, 0, 0, 0);
	finish();
	assert_int_equal(run->files->row_count, 2);
	assert_int_equal(row_of("?")->uses[FILE_READ].bytes, 5);
	assert_false(run->files->by_actor);
}

/* The table of calls is searched by halves. */
static void test_calls_are_found(void **state)
{
	static const char *const names[] = { "access", "copy_file_range", "execveat", "mmap2", "open",
					     "openat", "pipe2", "read", "writev", "utimensat" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(file_call__find(names[i])->name, names[i]);
	assert_null(file_call__find("getpid"));
	assert_null(file_call__find("zzz"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_paths_begin_where_they_should, begin, end),
		cmocka_unit_test_setup_teardown(test_descriptors_are_followed, begin, end),
		cmocka_unit_test_setup_teardown(test_fork_copies_and_execve_closes, begin, end),
		cmocka_unit_test_setup_teardown(test_tables_are_shared_until_execve, begin, end),
		cmocka_unit_test_setup_teardown(test_what_was_open_before, begin, end),
		cmocka_unit_test_setup_teardown(test_what_was_open_in_the_middle, begin, end),
		cmocka_unit_test_setup_teardown(test_groups, begin, end),
		cmocka_unit_test_setup_teardown(test_groups_of_processes_that_the_run_lists, begin, end),
		cmocka_unit_test_setup_teardown(test_processes, begin_by_process, end),
		cmocka_unit_test_setup_teardown(test_processes_beyond_the_room, begin_by_process, end),
		cmocka_unit_test_setup_teardown(test_searches, begin, end),
		cmocka_unit_test_setup_teardown(test_what_does_not_fit_is_counted, begin, end),
		cmocka_unit_test_setup_teardown(test_a_descriptor_beyond_the_bound_is_not_followed,
						begin, end),
		cmocka_unit_test_setup_teardown(test_a_close_that_fails_has_closed, begin, end),
		cmocka_unit_test_setup_teardown(test_what_is_used_while_it_is_closed, begin, end),
		cmocka_unit_test_setup_teardown(test_calls_that_come_late, begin, end),
		cmocka_unit_test_setup_teardown(test_tables_are_bounded_together, begin, end),
		cmocka_unit_test_setup_teardown(test_what_is_not_known, begin, end),
		cmocka_unit_test(test_calls_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
