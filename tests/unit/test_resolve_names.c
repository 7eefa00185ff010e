// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/memory.h"
#include "made.h"
#include "resolve/resolve.h"

/* A run of one executable: the shell, as the kernel would name it. */
static struct run *run_of_shell(bool has_interp)
{
	struct run *run = made_run(0);
	struct stat status;

	assert_int_equal(stat("/bin/sh", &status), 0);
	MADE_EXE(run, .path = checked_strdup("/bin/sh"), .ino = status.st_ino, .has_interp = has_interp,
		 .dev = (uint64_t)major(status.st_dev) << 20 | minor(status.st_dev));
	return run;
}

static void the_file_is_asked(void **state)
{
	struct run *run = run_of_shell(false);

	resolve__run(run);
	assert_int_equal(strncmp(run->exes[0].linkage, "dynamic", 7), 0);
	assert_int_equal(run->integrity.note_count, 0);
	run__free(run);
}

static void another_file_at_the_path_is_not_asked(void **state)
{
	struct run *run = run_of_shell(false);

	run->exes[0].ino++;
	resolve__run(run);
	assert_string_equal(run->exes[0].linkage, "static"); /* no dynamic linker was mapped */
	run__free(run);
	run = run_of_shell(true);
	free(run->exes[0].path);
	run->exes[0].path = NULL;
	resolve__run(run);
	assert_string_equal(run->exes[0].linkage, "dynamic");
	run__free(run);
}

static void another_device_is_accepted_and_noted(void **state)
{
	struct run *run = run_of_shell(false);

	run->exes[0].dev ^= 0x40;
	resolve__run(run);
	assert_int_equal(strncmp(run->exes[0].linkage, "dynamic", 7), 0);
	assert_int_equal(run->integrity.note_count, 1);
	run__free(run);
}

static void what_is_known_stays(void **state)
{
	struct run *run = run_of_shell(false);

	run->exes[0].linkage = checked_strdup("static-pie");
	resolve__run(run);
	assert_string_equal(run->exes[0].linkage, "static-pie");
	run__free(run);
}

/* Where no process lives to be asked. */
static void a_path_of_the_same_file_is_resolved(void **state)
{
	char directory[] = "/tmp/forktax-unit.XXXXXX", *link = NULL, *shell = realpath("/bin/sh", NULL);
	struct run *run = run_of_shell(false);

	assert_non_null(mkdtemp(directory));
	assert_true(asprintf(&link, "%s/name", directory) > 0);
	assert_int_equal(symlink("/bin/sh", link), 0);
	free(run->exes[0].path);
	run->exes[0].path = checked_strdup(link);
	resolve__run(run);
	assert_string_equal(run->exes[0].path, link);
	assert_string_equal(run->exes[0].resolved, shell);
	run__free(run);

	run = run_of_shell(false);
	free(run->exes[0].path);
	run->exes[0].path = checked_strdup(link);
	run->exes[0].ino++; /* it leads elsewhere now */
	resolve__run(run);
	assert_null(run->exes[0].resolved);
	run__free(run);

	run = run_of_shell(false);
	free(run->exes[0].path);
	run->exes[0].path = checked_strdup(shell);
	resolve__run(run);
	assert_null(run->exes[0].resolved); /* it is that already */
	run__free(run);
	unlink(link);
	rmdir(directory);
	free(link);
	free(shell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_is_asked),
		cmocka_unit_test(another_file_at_the_path_is_not_asked),
		cmocka_unit_test(another_device_is_accepted_and_noted),
		cmocka_unit_test(what_is_known_stays),
		cmocka_unit_test(a_path_of_the_same_file_is_resolved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
