// SPDX-License-Identifier: GPL-2.0-or-later
/* Which starts took a program of a directory that is first in PATH. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/tree/path_starts.h"
#include "made.h"
#include "model/rows/fields.h"

static void add_images(struct run *run, uint32_t exe, bool executed, uint64_t images)
{
	MADE(run->tree_times->rows, run->tree_times->count, .exe = exe, .executed = executed, .images = images);
}

static void add_program(struct run *run, const char *path, uint64_t images)
{
	MADE_EXE(run, .path = checked_strdup(path));
	add_images(run, (uint32_t)run->exe_count - 1, true, images);
}

static struct run *new_run(const char *command, uint64_t images)
{
	struct run *run = made_run(0);

	run->tree_times = checked_calloc(1, sizeof(*run->tree_times));
	add_program(run, command, images);
	MADE_PROCESS(run, .exe = 0);
	return run;
}

static struct path_trial *count(struct run *run)
{
	struct path_trial *trial = checked_calloc(1, sizeof(*trial));

	trial->directory = checked_strdup("/opt/static");
	path_starts__count(run, trial);
	run__free(run);
	return trial;
}

static void assert_missed(const struct path_trial *trial, size_t index, const char *path, uint64_t starts)
{
	assert_true(index < trial->missed_count);
	assert_string_equal(trial->missed[index].path, path);
	assert_int_equal(trial->missed[index].starts, starts);
}

static void test_programs(void **state)
{
	struct run *run = new_run("/bin/bash", 1);
	struct path_trial *trial;

	add_images(run, 0, false, 7); /* copies of bash are no starts */
	add_program(run, "/opt/static/sed", 30);
	add_program(run, "/opt/static/cut", 4);
	add_program(run, "/bin/sed", 1);
	add_program(run, "/usr/bin/git", 3);
	trial = count(run);
	assert_int_equal(trial->starts, 38);
	assert_int_equal(trial->taken, 34);
	assert_int_equal(trial->missed_count, 2);
	assert_missed(trial, 0, "/usr/bin/git", 3);
	assert_missed(trial, 1, "/bin/sed", 1);
	shape__free(&path_trial_shape, trial);
}

/* Names that begin like the directory, and what lies below it, are no programs of it. */
static void test_other_directories(void **state)
{
	struct run *run = new_run("/bin/bash", 1);
	struct path_trial *trial;

	add_program(run, "/opt/static2/sed", 2);
	add_program(run, "/opt/static/more/sed", 3);
	add_program(run, "/opt/static", 4);
	add_images(run, NO_EXE, true, 5);
	trial = count(run);
	assert_int_equal(trial->starts, 14);
	assert_int_equal(trial->taken, 0);
	assert_int_equal(trial->missed_count, 4);
	assert_missed(trial, 0, "(unknown program)", 5);
	shape__free(&path_trial_shape, trial);
}

/* The command's own start is left out once, from wherever it came; of one path, there may be several files. */
static void test_own_start(void **state)
{
	struct run *run = new_run("/opt/static/bash", 3);
	struct path_trial *trial;

	add_program(run, "/bin/sed", 1);
	add_program(run, "/bin/sed", 1);
	trial = count(run);
	assert_int_equal(trial->starts, 4);
	assert_int_equal(trial->taken, 2);
	assert_int_equal(trial->missed_count, 1);
	assert_missed(trial, 0, "/bin/sed", 2);
	shape__free(&path_trial_shape, trial);
}

/* A command that starts nothing else. */
static void test_alone(void **state)
{
	struct path_trial *trial = count(new_run("/bin/true", 1));

	assert_int_equal(trial->starts, 0);
	assert_int_equal(trial->missed_count, 0);
	shape__free(&path_trial_shape, trial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_other_directories),
		cmocka_unit_test(test_own_start),
		cmocka_unit_test(test_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
