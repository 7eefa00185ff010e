// SPDX-License-Identifier: GPL-2.0-or-later
/* A file appears complete or not at all. */
#include "unit.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/output.h"

static char directory[] = "/tmp/forktax-unit.XXXXXX";

static int entries(void)
{
	DIR *stream = opendir(directory);
	int count = -2; /* . and .. */

	while (readdir(stream))
		count++;
	closedir(stream);
	return count;
}

static int enter(void **state)
{
	strcpy(strrchr(directory, '.') + 1, "XXXXXX");
	return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int clean(void **state)
{
	unlink("file");
	unlink("link");
	unlink("fifo");
	return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static void test_new_file(void **state)
{
	char *reason, *text;
	struct output *output = output__open("file", NULL, &reason);
	struct stat status;

	assert_non_null(output);
	fputs("text", output__stream(output));
	fflush(output__stream(output));
	assert_int_equal(access("file", F_OK), -1); /* not before it is complete */
	assert_int_equal(output__commit(output, &reason), 0);
	text = slurp("file");
	assert_string_equal(text, "text");
	free(text);
	assert_int_equal(entries(), 1);
	assert_int_equal(stat("file", &status), 0);
	assert_int_equal(status.st_mode & 0777, 0644);
}

static void test_old_file_stays_until_the_end(void **state)
{
	char *reason, *text;
	struct output *output;
	FILE *old = fopen("file", "w");

	fputs("old", old);
	fclose(old);
	assert_int_equal(chmod("file", 0600), 0);
	output = output__open("file", NULL, &reason);
	fputs("new", output__stream(output));
	output__discard(output);
	text = slurp("file");
	assert_string_equal(text, "old");
	free(text);
	assert_int_equal(entries(), 1);
	output = output__open("file", NULL, &reason);
	fputs("new", output__stream(output));
	assert_int_equal(output__commit(output, &reason), 0);
	text = slurp("file");
	assert_string_equal(text, "new");
	free(text);
}

static void test_link_stays_a_link(void **state)
{
	struct output *output;
	struct stat status;
	char *reason;

	fclose(fopen("file", "w"));
	assert_int_equal(symlink("file", "link"), 0);
	output = output__open("link", NULL, &reason);
	fputs("x", output__stream(output));
	assert_int_equal(output__commit(output, &reason), 0);
	assert_int_equal(lstat("link", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(stat("file", &status), 0);
	assert_int_equal(status.st_size, 1);
}

static void assert_refused(const char *path, const char *expected)
{
	char *reason = NULL;

	assert_int_equal(output__check(path, &reason), -1);
	assert_non_null(strstr(reason, expected));
	assert_non_null(strstr(reason, path));
	free(reason);
	assert_null(output__open(path, NULL, &reason));
	assert_non_null(strstr(reason, path));
	free(reason);
}

static void test_check(void **state)
{
	char *reason;

	assert_int_equal(output__check("file", &reason), 0);
	assert_int_equal(entries(), 0); /* leaves no trace */
	assert_int_equal(output__check("/dev/null", &reason), 0);
	assert_refused("no/such/place", "No such file");
	assert_refused("/", "Is a directory");
}

static void test_fifo_is_written_directly(void **state)
{
	struct stat status;
	char *reason;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(output__check("fifo", &reason), 0); /* and does not wait for a reader */
	assert_int_equal(stat("fifo", &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
}

static void test_dash_is_stdout(void **state)
{
	char *reason;
	struct output *output;
	struct stat here, there;

	assert_int_equal(output__check("-", &reason), 0);
	output = output__open("-", NULL, &reason);
	assert_non_null(output);
	assert_int_equal(fstat(STDOUT_FILENO, &here), 0);
	assert_int_equal(fstat(fileno(output__stream(output)), &there), 0);
	assert_true(here.st_dev == there.st_dev && here.st_ino == there.st_ino);
	assert_int_equal(output__commit(output, &reason), 0);
	assert_int_equal(entries(), 0);
}

static void test_full_disk(void **state)
{
	struct output *output;
	char *reason;

	if (access("/dev/full", W_OK) < 0)
		skip();
	output = output__open("/dev/full", NULL, &reason);
	fputs("x", output__stream(output));
	assert_int_equal(output__commit(output, &reason), -1);
	assert_string_equal(reason, "cannot write /dev/full: No space left on device");
	free(reason);
}

static void test_closed_stream(void **state)
{
	FILE *stream = fopen("/dev/null", "w");
	struct output *output;
	char *reason;

	close(fileno(stream));
	output = output__open(NULL, stream, &reason);
	fputs("x", output__stream(output));
	assert_int_equal(output__commit(output, &reason), -1);
	assert_non_null(strstr(reason, "Bad file descriptor"));
	free(reason);
}

static void test_terminal_rules(void **state)
{
	FILE *stream = fopen("file", "w");
	struct table_output output;

	setenv("COLUMNS", "20", 1);
	output = table_output__for(stream, TABLE_TEXT, COLOUR_AUTO);
	assert_int_equal(output.width, 0); /* a file has no width */
	assert_false(output.colour);
	output = table_output__for(stream, TABLE_TEXT, COLOUR_ALWAYS);
	assert_true(output.colour);
	output = table_output__for(stream, TABLE_CSV, COLOUR_ALWAYS);
	assert_false(output.colour);
	fclose(stream);
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, enter, clean)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIRECTORY(test_new_file),
		IN_DIRECTORY(test_old_file_stays_until_the_end),
		IN_DIRECTORY(test_link_stays_a_link),
		IN_DIRECTORY(test_check),
		IN_DIRECTORY(test_fifo_is_written_directly),
		IN_DIRECTORY(test_dash_is_stdout),
		IN_DIRECTORY(test_terminal_rules),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_closed_stream),
	};

	umask(022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
