// SPDX-License-Identifier: GPL-2.0-or-later
/* Has a process run since a mark was made? */
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pool/sleep_mark.h"

struct child {
	pid_t pid;
	int to, from; /* what is written to it, it writes back */
};

static void echo(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
}

static void *sleep_on(void *none)
{
	for (;;)
		pause();
	return none;
}

static void *echo_on(void *ends)
{
	echo(((int *)ends)[0], ((int *)ends)[1]);
	return ends;
}

/* In its first thread, or in another one beside a number of those that sleep. */
static struct child start(unsigned int threads)
{
	int to[2], from[2], ends[2];
	pthread_t thread;
	pid_t pid;

	assert_int_equal(pipe(to) | pipe(from), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid) {
		close(to[0]);
		close(from[1]);
		return (struct child){ pid, to[1], from[0] };
	}
	close(to[1]); /* so that it ends with the test */
	ends[0] = to[0];
	ends[1] = from[1];
	for (unsigned int i = 1; i < threads; i++)
		pthread_create(&thread, NULL, sleep_on, NULL);
	if (threads) {
		pthread_create(&thread, NULL, echo_on, ends);
		pthread_join(thread, NULL);
	}
	echo(to[0], from[1]);
	_exit(0);
}

static void wake(const struct child *child)
{
	char byte = '.';

	assert_int_equal(write(child->to, &byte, 1), 1);
	assert_int_equal(read(child->from, &byte, 1), 1);
}

static void end(const struct child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->to);
	close(child->from);
}

static struct sleep_mark mark_when_asleep(pid_t pid)
{
	struct sleep_mark mark = sleep_mark__of(pid);

	while (!mark.asleep) {
		usleep(1000);
		mark = sleep_mark__of(pid);
	}
	return mark;
}

static void check_process(unsigned int threads)
{
	struct child child = start(threads);
	struct sleep_mark mark;

	wake(&child);
	mark = mark_when_asleep(child.pid);
	assert_true(sleep_mark__holds(&mark, child.pid));
	wake(&child);
	mark_when_asleep(child.pid);
	assert_false(sleep_mark__holds(&mark, child.pid));
	end(&child);
}

static void test_process(void **state)
{
	check_process(0);
}

static void test_one_thread_of_several(void **state)
{
	check_process(3);
}

static void test_more_threads_than_are_asked(void **state)
{
	struct child child = start(100);

	wake(&child); /* by now all of them are there */
	for (int i = 0; i < 100; i++)
		assert_false(sleep_mark__of(child.pid).asleep);
	end(&child);
}

static void test_one_that_runs(void **state)
{
	struct sleep_mark mark = sleep_mark__of(getpid());

	assert_false(mark.asleep);
	assert_false(sleep_mark__holds(&mark, getpid()));
}

static void test_one_that_has_ended(void **state)
{
	struct child child = start(0);
	struct sleep_mark mark;

	wake(&child);
	mark = mark_when_asleep(child.pid);
	end(&child);
	assert_false(sleep_mark__holds(&mark, child.pid));
	assert_false(sleep_mark__of(child.pid).asleep);
}

/* Its memory is in the hands of a process that it waits for. */
static void test_one_that_waits_for_a_vfork(void **state)
{
	int ready[2], hold[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready) | pipe(hold), 0);
	pid = fork();
	if (!pid) {
		close(hold[1]);
		if (!vfork() && write(ready[1], ".", 1) == 1)
			echo(hold[0], ready[1]);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	for (int i = 0; i < 100; i++)
		assert_false(sleep_mark__of(pid).asleep);
	close(hold[0]);
	close(hold[1]); /* so both end */
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_one_thread_of_several),
		cmocka_unit_test(test_more_threads_than_are_asked),
		cmocka_unit_test(test_one_that_runs),
		cmocka_unit_test(test_one_that_has_ended),
		cmocka_unit_test(test_one_that_waits_for_a_vfork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
