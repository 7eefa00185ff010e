// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "model/run/call_errors.h"
#include "model/words/errno_names.h"
#include "model/run/run.h"
#include "model/run/run_check.h"

static const struct faults sample = {
	.total = 20,
	.by = {
		[ACTOR_LDSO] = { [FAULT_COW_COPY] = 1, [FAULT_FILE_MAP] = 2 },
		[ACTOR_PROGRAM] = { [FAULT_COW_COPY] = 4 },
		[ACTOR_KERNEL] = { [FAULT_COW_COPY] = 8 },
	},
	.major = 3,
	.page_table_pages = 6,
};

static void test_fault_sums(void **state)
{
	assert_int_equal(faults__class(&sample, FAULT_COW_COPY), 13);
	assert_int_equal(faults__class(&sample, FAULT_ZERO_FILL), 0);
	assert_int_equal(faults__actor(&sample, ACTOR_LDSO), 3);
	assert_int_equal(faults__classified(&sample), 15);
	assert_int_equal(faults__unattributed(&sample), 5);
	assert_int_equal(faults__mark(&sample, MARK_MAJOR), 3);
	assert_int_equal(faults__mark(&sample, MARK_KERNEL_MODE), 8);
	assert_int_equal(faults__mark(&sample, MARK_PAGE_TABLE_PAGES), 6);
}

static void test_unattributed_is_never_negative(void **state)
{
	struct faults faults = sample;

	faults.total = 14;
	assert_int_equal(faults__unattributed(&faults), 0);
}

static void test_fault_addition(void **state)
{
	struct faults sum = sample;

	faults__add(&sum, &sample);
	assert_int_equal(sum.total, 40);
	assert_int_equal(faults__class(&sum, FAULT_COW_COPY), 26);
	assert_int_equal(faults__unattributed(&sum), 10);
	assert_int_equal(sum.major, 6);
	assert_int_equal(sum.page_table_pages, 12);
}

static void test_process_sums(void **state)
{
	struct image images[] = {
		{ .syscalls = 2, .faults = sample },
		{ .syscalls = 30, .faults = { .total = 5 } },
	};
	struct process process = { .images = images, .image_count = 2 };
	struct faults sum;

	assert_int_equal(process__syscalls(&process), 32);
	process__faults(&process, &sum);
	assert_int_equal(sum.total, 25);
	assert_int_equal(faults__class(&sum, FAULT_COW_COPY), 13);
}

static void test_table(void **state)
{
	struct syscall_row rows[] = {
		{ .name = "read", .calls = { 1, 2 }, .errors = { 0, 1 }, .denied = { 0, 7 } },
		{ .name = "read", .abi = ABI_I386, .calls = { 0, 40 } },
	};
	struct syscall_table table = { rows, 2 };

	assert_int_equal(syscall_table__calls(&table), 43);
	assert_int_equal(syscall_table__errors(&table), 1);
	assert_int_equal(syscall_table__denied(&table), 7);
	assert_ptr_equal(syscall_table__find(&table, "read", ABI_I386), &rows[1]);
	assert_null(syscall_table__find(&table, "write", ABI_X86_64));
}

static void test_exactness(void **state)
{
	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		struct integrity integrity = { 0 };
		bool costs_counts = loss == LOSS_STORAGE_FAILURES || loss == LOSS_MAP_FULL ||
				    loss == LOSS_RECURSION_MISSES;

		integrity.losses[loss] = 1;
		assert_int_equal(integrity__has_gaps(&integrity), costs_counts);
		assert_int_equal(integrity__is_exact(&integrity),
				 !costs_counts && loss != LOSS_UNFINISHED &&
					 loss != LOSS_UNSURE_DENIALS && loss != LOSS_UNSURE_CALLS &&
					 loss != LOSS_UNRECORDED);
	}
}

static void test_notes(void **state)
{
	struct run *run = run__new();

	run__note(run, "%d of %s", 1, "two");
	run__note(run, "second");
	assert_int_equal(run->integrity.note_count, 2);
	assert_string_equal(run->integrity.notes[0], "1 of two");
	run__free(run);
	run__free(NULL);
}

static void test_books(void **state)
{
	struct run *run = run__new();
	char *line;

	assert_null(run__contradiction(run));
	run->faults.total = 3;
	run->root_faults.total = 2;
	line = run__contradiction(run);
	assert_string_equal(line, "faults of roots and groups add up to 2, the total is 3");
	free(line);
	run->integrity.exact = false; /* then parts may be missing */
	assert_null(run__contradiction(run));
	run->integrity.exact = true;
	run->root_faults.total = 3;
	run->root_faults.by[ACTOR_LDSO][FAULT_SHMEM] = 4;
	run->faults.by[ACTOR_LDSO][FAULT_SHMEM] = 4;
	line = run__contradiction(run);
	assert_string_equal(line, "4 faults have a class, but there were only 3");
	free(line);
	run->integrity.losses[LOSS_UNFINISHED] = 1;
	line = run__contradiction(run);
	assert_non_null(strstr(line, "marked exact"));
	free(line);
	run->integrity.exact = false; /* the parts add up all the same */
	line = run__contradiction(run);
	assert_string_equal(line, "4 faults have a class, but there were only 3");
	free(line);
	run->integrity.losses[LOSS_MAP_FULL] = 1;
	assert_null(run__contradiction(run));
	run->integrity.exact = true;
	line = run__contradiction(run);
	assert_non_null(strstr(line, "marked exact"));
	free(line);
	run__free(run);
}

static void test_same_program(void **state)
{
	const struct exe sh = { .path = "/bin/sh", .resolved = "/usr/bin/busybox", .ino = 7 };
	const struct exe ls = { .path = "/bin/ls", .resolved = "/usr/bin/busybox", .ino = 7 };
	const struct exe raced = { .path = "/bin/sh", .ino = 8 };
	const struct exe other_sh = { .path = "/opt/sh", .ino = 9 };
	const struct exe hard_link = { .path = "/opt/sh", .ino = 7 };
	const struct exe here = { .path = "./a.out", .resolved = "/here/a.out", .ino = 1 };
	const struct exe there = { .path = "./a.out", .resolved = "/there/a.out", .ino = 2 };
	const struct exe rebuilt = { .path = "../here/a.out", .resolved = "/here/a.out", .ino = 3 };
	const struct exe by_fd = { .path = "/dev/fd/5", .resolved = "/here/a.out", .ino = 1 };
	const struct exe gone = { .ino = 1 };
	const struct exe busybox = { .path = "/usr/bin/busybox", .ino = 7 };

	assert_true(exe__is_same(&sh, &sh));
	assert_false(exe__is_same(&sh, &ls)); /* one file, two programs */
	assert_true(exe__is_same(&sh, &raced));
	assert_true(exe__is_same(&raced, &sh));
	assert_false(exe__is_same(&sh, &other_sh));
	assert_true(exe__is_same(&sh, &hard_link));
	assert_false(exe__is_same(&here, &there));
	assert_true(exe__is_same(&here, &rebuilt));
	assert_true(exe__is_same(&here, &by_fd));
	assert_true(exe__is_same(&gone, &gone));
	assert_false(exe__is_same(&gone, &here));
	assert_false(exe__is_same(&sh, &busybox)); /* but if that is all that was known of it */
	assert_true(exe__may_be_same(&sh, &busybox));
	assert_true(exe__may_be_same(&busybox, &ls));
	assert_false(exe__may_be_same(&sh, &ls));
	assert_false(exe__may_be_same(&gone, &busybox));
}

static void test_errnos(void **state)
{
	struct syscall_row row = { .name = "openat", .errors = { [ACTOR_PROGRAM] = 5, [ACTOR_LDSO] = 2 } };

	syscall_row__add_error(&row, 13, ACTOR_PROGRAM, 1);
	syscall_row__add_error(&row, 600, ACTOR_PROGRAM, 1);
	syscall_row__add_errno(&row, "ENOENT", ACTOR_LDSO, 2);
	syscall_row__add_error(&row, 2, ACTOR_PROGRAM, 3);
	syscall_row__sort_errnos(&row);
	assert_int_equal(row.errno_count, 3);
	assert_string_equal(row.errnos[0].name, "ENOENT");
	assert_int_equal(row.errnos[0].calls[ACTOR_PROGRAM], 3);
	assert_int_equal(row.errnos[0].calls[ACTOR_LDSO], 2);
	assert_string_equal(row.errnos[1].name, "EACCES");
	assert_string_equal(row.errnos[2].name, "errno 600");
	assert_int_equal(syscall_row__explained(&row, ACTOR_PROGRAM), 5);
	assert_int_equal(syscall_row__explained(&row, ACTOR_LDSO), 2);
	syscall_row__release_errnos(&row);
	assert_int_equal(row.errno_count, 0);
}

/* By the C library's names, where it has them: it has none for those that the kernel keeps to itself. */
static void test_errno_names(void **state)
{
	for (int number = 1; number < 512; number++) {
		const char *name = errno_name(number), *other = strerrorname_np(number);

		if (!name != !other || (name && strcmp(name, other) != 0))
			fail_msg("%d is %s, and %s for the C library", number, name ? name : "none",
				 other ? other : "none");
		if (name)
			assert_int_equal(errno_number(name, strlen(name)), number);
	}
	assert_int_equal(errno_number("ENOENT (No such file)", 6), 2);
	assert_int_equal(errno_number("ENO", 3), 0);
	assert_int_equal(errno_number("ENOENTRY", 8), 0);
	assert_string_equal(errno_name(512), "ERESTARTSYS");
	assert_string_equal(errno_name(516), "ERESTART_RESTARTBLOCK");
	assert_null(errno_name(0));
	assert_null(errno_name(4095));
}

static void test_rows_are_sorted(void **state)
{
	struct syscall_row rows[] = {
		{ .name = "write", .abi = ABI_X86_64, .calls = { [ACTOR_PROGRAM] = 1 } },
		{ .name = "read", .abi = ABI_I386, .calls = { [ACTOR_PROGRAM] = 1 } },
		{ .name = "read", .abi = ABI_X86_64, .calls = { [ACTOR_LDSO] = 1 } },
		{ .name = "brk", .abi = ABI_X86_64, .calls = { [ACTOR_LDSO] = 1 } },
		{ .name = "wait4", .abi = ABI_X86_64, .calls = { [ACTOR_LDSO] = 1, [ACTOR_PROGRAM] = 1 } },
	};
	struct syscall_table table = { rows, 5 };

	syscall_table__sort(&table);
	assert_string_equal(rows[0].name, "wait4");
	assert_string_equal(rows[1].name, "brk");
	assert_string_equal(rows[2].name, "read");
	assert_int_equal(rows[2].abi, ABI_X86_64);
	assert_int_equal(rows[3].abi, ABI_I386);
	assert_string_equal(rows[4].name, "write");
	syscall_table__sort(&(struct syscall_table){ 0 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errnos),
		cmocka_unit_test(test_errno_names),
		cmocka_unit_test(test_rows_are_sorted),
		cmocka_unit_test(test_fault_sums),
		cmocka_unit_test(test_unattributed_is_never_negative),
		cmocka_unit_test(test_fault_addition),
		cmocka_unit_test(test_process_sums),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_exactness),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_books),
		cmocka_unit_test(test_same_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
