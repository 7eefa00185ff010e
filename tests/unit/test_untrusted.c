// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/untrusted.h"

static char directory[] = "/tmp/forktax-untrusted-XXXXXX";

static int make_directory(void **state)
{
	return mkdtemp(directory) && !chdir(directory) ? 0 : -1;
}

static int end(void **state)
{
	return chdir("/") || remove_directory(directory);
}

static void write_file(const char *name, const char *bytes, size_t size, off_t whole)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(ftruncate(fd, whole), 0);
	close(fd);
}

static void refuse(const char *path, int flags, int error)
{
	struct stat status;

	errno = 0;
	assert_int_equal(untrusted__open(path, flags, &status), -1);
	assert_int_equal(errno, error);
}

static void only_files_are_opened(void **state)
{
	struct stat status;
	int fd;

	write_file("file", "x", 1, 1);
	fd = untrusted__open("file", 0, &status);
	assert_true(fd >= 0 && status.st_size == 1);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	refuse("fifo", 0, EINVAL); /* and does not wait */
	refuse(".", 0, EINVAL);
	refuse("/dev/ptmx", 0, EINVAL);
	refuse("missing", 0, ENOENT);
	refuse("/proc/self/status", 0, EINVAL);
	assert_int_equal(symlink("/dev/zero", "link"), 0);
	refuse("link", 0, EINVAL);
	unlink("link");
	assert_int_equal(symlink("file", "link"), 0);
	fd = untrusted__open("link", 0, &status);
	assert_true(fd >= 0);
	close(fd);
	refuse("link", O_NOFOLLOW, EINVAL);
}

/* Who waits for a reader of a FIFO would go on if somebody opened it. */
static void nothing_else_notices(void **state)
{
	const pid_t writer = fork();

	if (!writer)
		_exit(open("fifo", O_WRONLY));
	usleep(100000);
	refuse("fifo", 0, EINVAL);
	usleep(100000);
	assert_int_equal(waitpid(writer, NULL, WNOHANG), 0);
	kill(writer, SIGKILL);
	assert_int_equal(waitpid(writer, NULL, 0), writer);
}

static struct untrusted_lines lines_of(const char *name, struct untrusted_budget *budget)
{
	struct stat status;

	return untrusted_lines__of(untrusted__open(name, 0, &status), budget);
}

static void lines_are_passed_on(void **state)
{
	static const char *const expected[] = { "first", "", "last" };
	struct untrusted_budget budget = {};
	struct untrusted_lines lines;
	size_t length;

	write_file("file", "first\n\nlast", 11, 11);
	lines = lines_of("file", &budget);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(untrusted_lines__next(&lines, &length), expected[i]);
		assert_int_equal(length, strlen(expected[i]));
	}
	assert_null(untrusted_lines__next(&lines, &length));
	assert_false(budget.cut || lines.failed);
	assert_int_equal(budget.used, 11);
	untrusted_lines__close(&lines);
	assert_null(untrusted_lines__next((lines = lines_of("missing", &budget), &lines), &length));
	untrusted_lines__close(&lines);
}

static void long_lines_are_cut(void **state)
{
	const size_t size = 3 * UNTRUSTED_LINE_MOST;
	char *text = malloc(size);
	struct untrusted_budget budget = {};
	struct untrusted_lines lines;
	size_t length;

	for (int more = -1; more <= 1; more++) { /* than one line may have */
		memset(text, 'x', size);
		text[UNTRUSTED_LINE_MOST + more] = '\n';
		memcpy(text + size - 5, "\nlast", 5);
		write_file("file", text, size, (off_t)size);
		lines = lines_of("file", &budget);
		assert_non_null(untrusted_lines__next(&lines, &length));
		assert_int_equal(length, more < 0 ? UNTRUSTED_LINE_MOST - 1 : UNTRUSTED_LINE_MOST);
		assert_non_null(untrusted_lines__next(&lines, &length));
		assert_int_equal(length, UNTRUSTED_LINE_MOST);
		assert_string_equal(untrusted_lines__next(&lines, &length), "last");
		assert_null(untrusted_lines__next(&lines, &length));
		untrusted_lines__close(&lines);
	}
	free(text);
}

static size_t count_lines(const char *name, struct untrusted_budget *budget)
{
	struct untrusted_lines lines = lines_of(name, budget);
	size_t count = 0, length;

	while (untrusted_lines__next(&lines, &length))
		count++;
	untrusted_lines__close(&lines);
	return count;
}

static void endless_files_are_cut(void **state)
{
	struct untrusted_budget budget = {};

	write_file("file", "one\n", 4, UNTRUSTED_FILE_MOST);
	assert_int_equal(count_lines("file", &budget), 2);
	assert_false(budget.cut);
	assert_int_equal(budget.used, UNTRUSTED_FILE_MOST);
	write_file("file", "one\n", 4, UNTRUSTED_FILE_MOST + 1);
	assert_int_equal(count_lines("file", &budget), 2);
	assert_true(budget.cut);
	assert_int_equal(budget.used, 2 * UNTRUSTED_FILE_MOST);
}

static void a_budget_is_for_all(void **state)
{
	struct untrusted_budget budget = { .used = UNTRUSTED_ALL_MOST - 8 };

	write_file("file", "one\ntwo\n", 8, 8);
	assert_int_equal(count_lines("file", &budget), 2);
	assert_false(budget.cut);
	assert_int_equal(count_lines("file", &budget), 0);
	assert_true(budget.cut);
	assert_int_equal(budget.used, UNTRUSTED_ALL_MOST);
	budget = (struct untrusted_budget){ .used = UNTRUSTED_ALL_MOST - 10 };
	assert_true(untrusted_budget__take(&budget, 10));
	assert_false(budget.cut);
	assert_false(untrusted_budget__take(&budget, 1));
	assert_true(budget.cut);
}

static void check_interpreter(const char *line, const char *expected)
{
	char *found;

	write_file("file", line, strlen(line), (off_t)strlen(line));
	found = untrusted__interpreter("file");
	if (expected)
		assert_string_equal(found, expected);
	else
		assert_null(found);
	free(found);
}

static void interpreters_are_found(void **state)
{
	char line[1024], *found;

	check_interpreter("#!/bin/sh\n", "/bin/sh");
	check_interpreter("#! \t/opt/bin/bash -e\n", "/opt/bin/bash");
	check_interpreter("#!/bin/sh", "/bin/sh");
	check_interpreter("#!\n/bin/sh\n", NULL);
	check_interpreter("#!", NULL);
	check_interpreter("#", NULL);
	check_interpreter("", NULL);
	check_interpreter("# /bin/sh\n", NULL);
	memset(line, 'x', sizeof(line));
	memcpy(line, "#!", 2);
	line[sizeof(line) - 1] = '\0';
	write_file("file", line, sizeof(line), 1 << 30);
	found = untrusted__interpreter("file");
	assert_int_equal(strlen(found), 254);
	free(found);
	assert_null(untrusted__interpreter("fifo"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_files_are_opened),
		cmocka_unit_test(nothing_else_notices),
		cmocka_unit_test(lines_are_passed_on),
		cmocka_unit_test(long_lines_are_cut),
		cmocka_unit_test(endless_files_are_cut),
		cmocka_unit_test(a_budget_is_for_all),
		cmocka_unit_test(interpreters_are_found),
	};

	return cmocka_run_group_tests(tests, make_directory, end);
}
