// SPDX-License-Identifier: GPL-2.0-or-later
/* The critical path of made-up threads: it has the right steps, closes, and its memory is bounded. */
#include "unit.h"

#include "model/rows/fields.h"
#include "source/calls/path_fold.h"

enum { NO_LINE = UINT32_MAX };

static struct path_fold *fold;
static struct critical_path *path;

static int begin(void **state)
{
	fold = path_fold__new();
	path = calloc(1, sizeof(*path));
	return 0;
}

static int end(void **state)
{
	path_fold__free(fold);
	shape__free(&critical_path_shape, path);
	return 0;
}

/* Thread `other` of a process of the same number, at `ns`. */
static void birth(enum path_event_kind kind, uint64_t ns, uint64_t thread, uint64_t other, uint32_t line)
{
	const struct path_birth birth = {
		.event = { .kind = kind, .exe = 1, .ns = ns, .thread = thread, .other = other },
		.process = other, .pid = 100 + other,
	};

	path_fold__take_birth(fold, &birth, (struct path_fold_line){ line, true, false });
}

static void event(enum path_event_kind kind, uint64_t ns, uint64_t thread, uint64_t other)
{
	path_fold__take(fold, &(struct path_event){ .kind = kind, .exe = 2, .ns = ns, .thread = thread, .other = other,
						    .call_nr = 61 });
}

static void finish(void)
{
	assert_null(path_fold__finish(fold, path));
}

static void check_step(size_t i, uint64_t process, uint64_t begin_ns, uint64_t end_ns, enum path_link link)
{
	assert_true(i < path->step_count);
	assert_int_equal(path->steps[i].process, process);
	assert_int_equal(path->steps[i].begin_ns, begin_ns);
	assert_int_equal(path->steps[i].end_ns, end_ns);
	assert_int_equal(path->steps[i].link, link);
}

static uint64_t sum_of_programs(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < path->program_count; i++)
		sum += path__sum(path->programs[i].ns);
	return sum;
}

/* Two children; the command waits for both, and the second ends last. */
static void test_waits_for_the_last(void **state)
{
	birth(PATH_BEGINS, 1000, 1, 1, NO_LINE);
	birth(PATH_CREATES, 1010, 1, 2, NO_LINE);
	birth(PATH_CREATES, 1020, 1, 3, NO_LINE);
	event(PATH_EXECUTES, 1030, 3, 0);
	event(PATH_WAKES, 1100, 2, 1);
	event(PATH_ENDS, 1105, 2, 0);
	event(PATH_WAKES, 1200, 3, 1);
	event(PATH_ENDS, 1205, 3, 0);
	event(PATH_COMMAND_ENDS, 1250, 1, 0);
	finish();
	assert_int_equal(path->wall_ns, 250);
	assert_int_equal(path->step_count, 4);
	check_step(0, 1, 0, 20, PATH_LINK_BEGIN);
	check_step(1, 3, 20, 30, PATH_LINK_BIRTH);
	check_step(2, 3, 30, 200, PATH_LINK_EXEC);
	check_step(3, 1, 200, 250, PATH_LINK_WAKE);
	assert_int_equal(path->steps[3].call_nr, 61);
	assert_int_equal(sum_of_programs(), 250);
}

/* What the command waited for in its execve, and what it waits for afterwards. */
static void test_waits_in_execve(void **state)
{
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	path_fold__take(fold, &(struct path_event){ .kind = PATH_EXECUTES, .exe = 2, .ns = 50, .thread = 1,
						    .waits = { [PATH_WAITS_DEVICE] = 30 } });
	path_fold__take(fold, &(struct path_event){ .kind = PATH_COMMAND_ENDS, .ns = 100, .thread = 1,
						    .waits = { [PATH_WAITS_DEVICE] = 20, [PATH_WAITS_CPU] = 10 } });
	finish();
	assert_int_equal(path->step_count, 1);
	assert_int_equal(path->steps[0].ns[PATH_PART_DEVICE], 50);
	assert_int_equal(path->steps[0].ns[PATH_PART_READY], 10);
	assert_int_equal(path->steps[0].ns[PATH_PART_CPU], 40);
}

static void ends_idle(enum path_event_kind kind, uint64_t ns, uint64_t thread, uint64_t ready, uint64_t device)
{
	path_fold__take(fold, &(struct path_event){ .kind = kind, .ns = ns, .thread = thread,
						    .waits = { [PATH_WAITS_CPU] = ready, [PATH_WAITS_DEVICE] = device },
						    .idle = { [PATH_WAITS_CPU] = ready, [PATH_WAITS_DEVICE] = device } });
}

/*
 * The command sleeps until a timer ends, and looks for its children. These have no CPU: two at the same time, as far as
 * that is known, and a third one after them.
 */
static void test_children_without_a_cpu(void **state)
{
	static const struct {
		uint64_t own, device, ready, rest;
	} cases[] = { { 0, 80, 65, 15 }, { 5, 80, 65, 20 }, { 0, 60, 60, 0 }, { 70, 10, 70, 10 } };

	for (size_t i = 0; i < 4; i++) {
		birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
		birth(PATH_CREATES, 0, 1, 2, NO_LINE);
		birth(PATH_CREATES, 0, 1, 3, NO_LINE);
		birth(PATH_CREATES, 0, 1, 4, NO_LINE);
		ends_idle(PATH_ENDS, 60, 2, 50, 0);
		ends_idle(PATH_ENDS, 65, 3, 40, 0);
		event(PATH_EXECUTES, 70, 4, 0);
		ends_idle(PATH_ENDS, 90, 4, 15, 0);
		ends_idle(PATH_COMMAND_ENDS, 100, 1, cases[i].own, cases[i].device);
		assert_int_equal(path_fold__idle(fold)[PATH_PART_READY], cases[i].ready);
		assert_int_equal(path_fold__idle(fold)[PATH_PART_DEVICE], cases[i].rest);
		path_fold__free(fold);
		fold = path_fold__new();
	}
}

/* A wake by one that itself was woken late: the chain goes through both. */
static void test_chain(void **state)
{
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	birth(PATH_CREATES, 10, 1, 2, NO_LINE);
	birth(PATH_CREATES, 20, 1, 3, NO_LINE);
	event(PATH_WAKES, 50, 3, 2);
	event(PATH_WAKES, 60, 2, 1);
	event(PATH_COMMAND_ENDS, 70, 1, 0);
	finish();
	assert_int_equal(path->step_count, 4);
	check_step(1, 3, 20, 50, PATH_LINK_BIRTH);
	check_step(2, 2, 50, 60, PATH_LINK_WAKE);
}

/* What a thread does after it has woken another one is not on that one's path. */
static void test_later_work_of_the_waker(void **state)
{
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	birth(PATH_CREATES, 10, 1, 2, NO_LINE);
	event(PATH_WAKES, 30, 2, 1);
	event(PATH_EXECUTES, 35, 2, 0);
	event(PATH_ENDS, 90, 2, 0);
	event(PATH_COMMAND_ENDS, 100, 1, 0);
	finish();
	check_step(1, 2, 10, 30, PATH_LINK_BIRTH);
	check_step(2, 1, 30, 100, PATH_LINK_WAKE);
	assert_int_equal(path->step_count, 3);
}

/* Waits are parts; they are no longer than the stretch, and those after the end of the command are not in it. */
static void test_waits(void **state)
{
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	path_fold__take(fold, &(struct path_event){ .kind = PATH_EXECUTES, .ns = 100, .thread = 1,
						    .waits = { 1, 2, 3, 4 } });
	path_fold__take(fold, &(struct path_event){ .kind = PATH_WAKES, .ns = 300, .thread = 1, .other = 7,
						    .waits = { 20, 30, 40, 500 } });
	event(PATH_COMMAND_ENDS, 250, 1, 0);
	finish();
	assert_int_equal(path->wall_ns, 250);
	assert_int_equal(sum_of_programs(), 250);
	assert_int_equal(critical_path__part(path, PATH_PART_DEVICE), 3);
	assert_int_equal(critical_path__part(path, PATH_PART_OTHERS), 43);
	assert_int_equal(critical_path__part(path, PATH_PART_UNKNOWN), 204);
}

static void test_lines(void **state)
{
	path->lines = calloc(2, sizeof(*path->lines));
	path->line_count = 2;
	path->lines[0].line = 11;
	path->lines[1].line = 22;
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	birth(PATH_CREATES, 10, 1, 2, 1);
	birth(PATH_CREATES, 30, 2, 3, NO_LINE); /* below that of line 22 */
	event(PATH_WAKES, 60, 3, 1);
	event(PATH_COMMAND_ENDS, 70, 1, 0);
	finish();
	assert_int_equal(path->line_count, 1);
	assert_int_equal(path->lines[0].line, 22);
	assert_int_equal(path__sum(path->lines[0].ns), 50);
	assert_int_equal(path->lines[0].steps, 2);
	assert_int_equal(path->steps[1].line, 0);
	assert_int_equal(path->steps[0].line, NO_LINE);
}

/* A line has all that is below it; what it creates again below itself counts once. */
static void test_lines_below_lines(void **state)
{
	enum { OUTER, INNER, LINES };

	path->lines = calloc(LINES, sizeof(*path->lines));
	path->line_count = LINES;
	path->lines[OUTER].line = 11;
	path->lines[INNER].line = 22;
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	birth(PATH_CREATES, 10, 1, 2, OUTER);
	birth(PATH_CREATES, 15, 2, 3, INNER);
	birth(PATH_CREATES, 40, 3, 4, OUTER);
	event(PATH_WAKES, 60, 4, 3);
	event(PATH_WAKES, 80, 3, 1);
	birth(PATH_CREATES, 85, 1, 5, INNER);
	event(PATH_WAKES, 90, 5, 1);
	event(PATH_COMMAND_ENDS, 100, 1, 0);
	finish();
	assert_int_equal(path->line_count, 2);
	assert_int_equal(path->lines[0].line, 22);
	assert_int_equal(path__sum(path->lines[0].ns), (40 - 15) + (80 - 60) + (90 - 85));
	assert_int_equal(path->lines[0].total_ns, (80 - 15) + (90 - 85));
	assert_int_equal(path->lines[0].outer_ns, 90 - 85);
	assert_int_equal(path->lines[1].line, 11);
	assert_int_equal(path__sum(path->lines[1].ns), (15 - 10) + (60 - 40));
	assert_int_equal(path->lines[1].total_ns, 80 - 10);
	assert_int_equal(path->lines[1].outer_ns, 80 - 10);
}

static void birth_of_make(uint64_t ns, uint64_t thread, uint64_t other, uint32_t number)
{
	const struct path_birth birth = {
		.event = { .kind = PATH_CREATES, .exe = 1, .ns = ns, .thread = thread, .other = other },
		.process = other, .pid = 100 + other,
	};

	path_fold__take_birth(fold, &birth, (struct path_fold_line){ number, true, true });
}

/* Lines that are known when make has waited; the last one never is, and counts as that of its make, which comes, too. */
static void test_lines_that_come(void **state)
{
	enum { REAL, FIRST, SECOND, NEVER, NO_MAKE, LINES };

	path->lines = calloc(LINES, sizeof(*path->lines));
	path->line_count = LINES;
	path->lines[REAL].line = 7;
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	birth_of_make(10, 1, 2, FIRST);
	birth(PATH_CREATES, 15, 2, 3, NO_LINE);
	event(PATH_WAKES, 20, 3, 1);
	path_fold__take_place(fold, FIRST, (struct path_fold_line){ REAL, true, false });
	birth_of_make(30, 1, 4, SECOND);
	birth_of_make(35, 4, 5, NEVER);
	event(PATH_WAKES, 60, 5, 4);
	event(PATH_WAKES, 70, 4, 1);
	path_fold__take_place(fold, SECOND, (struct path_fold_line){ REAL, true, false });
	birth_of_make(80, 1, 6, NO_MAKE); /* of a make that no line has created */
	event(PATH_WAKES, 90, 6, 1);
	event(PATH_COMMAND_ENDS, 100, 1, 0);
	finish();
	assert_int_equal(path->line_count, 1);
	assert_int_equal(path->lines[0].line, 7);
	assert_int_equal(path__sum(path->lines[0].ns), 10 + 40);
	assert_int_equal(path->lines[0].total_ns, 10 + 40);
	assert_int_equal(path->lines[0].outer_ns, 10 + 40);
	assert_int_equal(path->lines[0].steps, 5);
	for (size_t i = 0; i < path->step_count; i++)
		assert_int_equal(path->steps[i].line, path->steps[i].process == 1 || path->steps[i].process == 6 ? NO_LINE : 0);
}

/* 300,000 children, one after the other: what is settled is in the sums, and the longest steps are listed. */
static void test_many(void **state)
{
	enum { CHILDREN = 300000 };
	uint64_t ns = 0;

	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	birth(PATH_CREATES, 0, 1, 2, NO_LINE); /* a daemon, which nobody waits for */
	for (uint64_t child = 3; child < CHILDREN + 3; child++) {
		birth(PATH_CREATES, ns += 10, 1, child, NO_LINE);
		ns += child == 1000 ? 5000 : 20;
		event(PATH_WAKES, ns, child, 1);
		event(PATH_ENDS, ns + 1, child, 0);
		if (child % 1000 == 0)
			event(PATH_WAKES, ns + 5, 1, 2);
	}
	event(PATH_COMMAND_ENDS, ns, 1, 0);
	finish();
	assert_int_equal(path->wall_ns, CHILDREN * 30ull + 4980);
	assert_int_equal(sum_of_programs(), path->wall_ns);
	assert_int_equal(path->programs[0].steps, 2ull * CHILDREN);
	assert_in_range(path->step_count, 1, PATH_STEPS_MOST + 1);
	assert_int_equal(path->step_count + path->steps_left_out, 2ull * CHILDREN);
}

/*
 * Threads that wake each other all the time, and are not on the path: nothing of theirs may be summed up. Whose path is
 * looked at first depends on the numbers.
 */
static void check_many_beside(uint64_t root)
{
	enum { OTHERS = 8, ROUNDS = 10000 };
	uint64_t ns = 10;

	birth(PATH_BEGINS, 0, root, root, NO_LINE);
	for (uint64_t other = 2; other < OTHERS + 2; other++)
		birth(PATH_CREATES, 10, root, other, NO_LINE);
	for (int round = 0; round < ROUNDS; round++)
		for (uint64_t other = 2; other < OTHERS + 2; other += 2) {
			event(PATH_WAKES, ns += 10, other, other + 1);
			event(PATH_WAKES, ns += 10, other + 1, other);
		}
	event(PATH_COMMAND_ENDS, ns + 100, root, 0);
	finish();
	assert_int_equal(path->step_count, 1);
	check_step(0, root, 0, ns + 100, PATH_LINK_BEGIN);
	assert_int_equal(sum_of_programs(), path->wall_ns);
}

static void test_many_beside(void **state)
{
	for (uint64_t root = 100; root < 108; root++) {
		check_many_beside(root);
		end(state);
		begin(state);
	}
}

static void test_no_end(void **state)
{
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	assert_non_null(path_fold__finish(fold, path));
}

/* The end of the command is reported after its last thread has run for the last time. Other processes go on. */
static void test_end_told_late(void **state)
{
	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	birth(PATH_CREATES, 10, 1, 2, NO_LINE);
	birth(PATH_CREATES, 20, 1, 3, NO_LINE);
	event(PATH_WAKES, 60, 2, 1);
	event(PATH_ENDS, 100, 1, 0);
	event(PATH_WAKES, 110, 3, 2);
	event(PATH_ENDS, 115, 3, 0);
	event(PATH_COMMAND_ENDS, 95, 0, 0);
	finish();
	assert_int_equal(path->wall_ns, 95);
	assert_int_equal(sum_of_programs(), 95);
	assert_int_equal(path->step_count, 3);
	check_step(1, 2, 10, 60, PATH_LINK_BIRTH);
	check_step(2, 1, 60, 95, PATH_LINK_WAKE);
}

/* The first of two threads of a command ends: the command has not. */
static void test_end_of_one_thread(void **state)
{
	const struct path_birth second = {
		.event = { .kind = PATH_CREATES, .exe = 1, .ns = 10, .thread = 1, .other = 2 }, .process = 1, .pid = 101,
	};

	birth(PATH_BEGINS, 0, 1, 1, NO_LINE);
	path_fold__take_birth(fold, &second, (struct path_fold_line){ NO_LINE, true, false });
	event(PATH_ENDS, 50, 1, 0);
	birth(PATH_CREATES, 60, 2, 3, NO_LINE);
	event(PATH_WAKES, 80, 3, 2);
	event(PATH_COMMAND_ENDS, 90, 2, 0);
	finish();
	assert_int_equal(path->wall_ns, 90);
	assert_int_equal(sum_of_programs(), 90);
	check_step(path->step_count - 1, 1, 80, 90, PATH_LINK_WAKE);
}

/* Events of threads that nobody knows change nothing. */
static void test_strangers(void **state)
{
	birth(PATH_CREATES, 5, 8, 9, NO_LINE);
	birth(PATH_BEGINS, 10, 1, 1, NO_LINE);
	event(PATH_WAKES, 20, 9, 1);
	event(PATH_ENDS, 20, 9, 0);
	event(PATH_COMMAND_ENDS, 30, 1, 0);
	finish();
	assert_int_equal(path->step_count, 1);
	check_step(0, 1, 0, 20, PATH_LINK_BEGIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_waits_for_the_last, begin, end),
		cmocka_unit_test_setup_teardown(test_waits_in_execve, begin, end),
		cmocka_unit_test_setup_teardown(test_children_without_a_cpu, begin, end),
		cmocka_unit_test_setup_teardown(test_chain, begin, end),
		cmocka_unit_test_setup_teardown(test_later_work_of_the_waker, begin, end),
		cmocka_unit_test_setup_teardown(test_waits, begin, end),
		cmocka_unit_test_setup_teardown(test_lines, begin, end),
		cmocka_unit_test_setup_teardown(test_lines_below_lines, begin, end),
		cmocka_unit_test_setup_teardown(test_lines_that_come, begin, end),
		cmocka_unit_test_setup_teardown(test_many, begin, end),
		cmocka_unit_test_setup_teardown(test_many_beside, begin, end),
		cmocka_unit_test_setup_teardown(test_no_end, begin, end),
		cmocka_unit_test_setup_teardown(test_end_told_late, begin, end),
		cmocka_unit_test_setup_teardown(test_end_of_one_thread, begin, end),
		cmocka_unit_test_setup_teardown(test_strangers, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
