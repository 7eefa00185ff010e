/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * cgroupmembers DIRECTORY [N]: processes that enter the cgroup DIRECTORY/in in every way, or leave it, and work before
 * and after that; with N, that many that end with threads that sleep. Begins when a line comes on stdin; ends with a ledger, "NAME NUMBER" a line: what a run that
 * watches the cgroup has to count; stays until stdin ends, so that its executable can be looked up. Work inside is getpriority(2); work outside is getpgid(2), which is never counted.
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die_with.h"

enum { WORK = 100, THREADS = 3 };

static const char *base;
static struct {
	long getpriority, processes, forks, execs;
} ledger;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void work(long nr)
{
	for (int i = 0; i < WORK; i++)
		syscall(nr, 0, 0);
}

static void move(pid_t pid, const char *cgroup)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/cgroup.procs", base, cgroup);
	file = fopen(path, "we");
	if (!file || fprintf(file, "%d\n", pid) < 0 || fclose(file))
		fail(path);
}

/* A child that does what bytes tell it, one after the other, and answers each with a byte. */
struct member {
	pid_t pid;
	int orders, answers;
};

static void obey(int orders, int answers);

static void *obey_thread(void *ends)
{
	obey(((int *)ends)[0], ((int *)ends)[1]);
	return NULL;
}

static void work_in_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		work(SYS_getpriority);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void obey(int orders, int answers)
{
	char order;

	while (read(orders, &order, 1) == 1) {
		switch (order) {
		case 'i':
			work(SYS_getpriority);
			break;
		case 'o':
			work(SYS_getpgid);
			break;
		case 'f':
			work_in_child();
			break;
		case 'm':
			move(getpid(), "in");
			break;
		case 'e':
			execl("/proc/self/exe", "cgroupmembers", "--end", NULL);
		}
		write(answers, &order, 1);
	}
}

static void order(const struct member *member, char what)
{
	char answer;

	if (write(member->orders, &what, 1) != 1 || read(member->answers, &answer, 1) != 1)
		fail("a member has ended");
}

/* In the cgroup of `into`, a descriptor of its directory; -1: in ours. */
static pid_t clone_into(int into)
{
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .cgroup = into, .exit_signal = SIGCHLD };

	return into < 0 ? fork() : syscall(SYS_clone3, &args, sizeof(args));
}

/* With threads that take orders, too, from the same pipe: whoever reads first. */
static struct member begin(int into, int threads)
{
	int orders[2], answers[2], ends[2];
	pid_t parent = getpid(), pid;

	if (pipe2(orders, O_CLOEXEC) || pipe2(answers, O_CLOEXEC))
		fail("pipe");
	pid = clone_into(into);
	if (pid < 0)
		fail("clone3");
	if (!pid) {
		die_with(parent);
		ends[0] = orders[0];
		ends[1] = answers[1];
		close(orders[1]);
		for (int i = 0; i < threads; i++) {
			pthread_t thread;

			if (pthread_create(&thread, NULL, obey_thread, ends))
				fail("pthread_create");
		}
		obey(orders[0], answers[1]);
		_exit(0);
	}
	close(orders[0]);
	close(answers[1]);
	return (struct member){ pid, orders[1], answers[0] };
}

static void end(struct member *member)
{
	close(member->orders);
	waitpid(member->pid, NULL, 0);
	close(member->answers);
}

static void expect(int works, int processes, int forks)
{
	ledger.getpriority += works * WORK;
	ledger.processes += processes;
	ledger.forks += forks;
}

static void moved_by_another(void)
{
	struct member member = begin(-1, 0);

	order(&member, 'o');
	move(member.pid, "in");
	order(&member, 'i');
	order(&member, 'f');
	end(&member);
	expect(2, 2, 1);
}

static void moves_itself(void)
{
	struct member member = begin(-1, 0);
	char last;

	order(&member, 'o');
	order(&member, 'm');
	order(&member, 'i');
	/* It executes this program again, which ends. */
	if (write(member.orders, "e", 1) != 1 || read(member.answers, &last, 1) != 0)
		fail("execve of a member");
	end(&member);
	expect(1, 1, 0);
	ledger.execs++;
}

static void born_inside(const char *cgroup)
{
	char path[4096];
	struct member member;
	int into;

	snprintf(path, sizeof(path), "%s/%s", base, cgroup);
	into = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	member = begin(into, 0);
	order(&member, 'i');
	order(&member, 'f');
	end(&member);
	close(into);
	expect(2, 2, 1);
}

/* Whichever thread takes an order: each of them is counted from its next call on. */
static void moved_with_threads(void)
{
	struct member member = begin(-1, THREADS);

	for (int i = 0; i < 10; i++)
		order(&member, 'o');
	move(member.pid, "in/below");
	for (int i = 0; i < 10; i++)
		order(&member, 'i');
	order(&member, 'f');
	end(&member);
	expect(11, 2, 1);
}

static void leaves_and_returns(void)
{
	struct member member = begin(-1, 0);

	move(member.pid, "in");
	order(&member, 'i');
	move(member.pid, "out");
	order(&member, 'o');
	move(member.pid, "in/below");
	order(&member, 'i');
	move(member.pid, "in"); /* counted already */
	order(&member, 'i');
	end(&member);
	expect(3, 2, 0);
}

/* A member's child that is born outside: neither it nor its birth is counted. */
static void born_outside(void)
{
	char path[4096];
	struct member member;
	int status;
	pid_t pid = fork();

	if (!pid) {
		snprintf(path, sizeof(path), "%s/out", base);
		move(getpid(), "in");
		member = begin(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);
		order(&member, 'o');
		end(&member);
		work(SYS_getpriority);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (status)
		exit(1);
	expect(1, 1, 0);
}

/* Until it waits for its next order: before that, this call is still to come. */
static void let_sleep(pid_t pid)
{
	char path[64], state = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	while (state != 'S') {
		FILE *file = fopen(path, "re");

		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			fail(path);
		fclose(file);
	}
}

static void killed_before_its_next_call(void)
{
	struct member member = begin(-1, 0);

	order(&member, 'o');
	let_sleep(member.pid);
	move(member.pid, "in");
	kill(member.pid, SIGKILL);
	end(&member);
	move(getpid(), "in"); /* no trace of it is in the way of others */
	work(SYS_getpriority);
	move(getpid(), "out");
	work(SYS_getpgid);
	expect(1, 1, 0);
}

static void *sleep_on(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* Its threads have made no call since it was moved; they end with it, on several CPUs at once. */
static void ends_with_sleeping_threads(void)
{
	pid_t parent = getpid(), pid = fork();
	pthread_t thread;

	if (!pid) {
		die_with(parent);
		for (int i = 0; i < 16; i++)
			if (pthread_create(&thread, NULL, sleep_on, NULL))
				fail("pthread_create");
		usleep(300);
		move(getpid(), "in");
		work(SYS_getpriority);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	expect(1, 1, 0);
}

static void enter_in_every_way(void)
{
	killed_before_its_next_call(); /* first: nobody has given a reason to look at all tasks */
	moved_by_another();
	moves_itself();
	born_inside("in");
	born_inside("in/below");
	born_inside("out/../in");
	moved_with_threads();
	leaves_and_returns();
	born_outside();
}

int main(int argc, char **argv)
{
	char line[16];

	if (argc == 2 && !strcmp(argv[1], "--end"))
		return 0;
	if (argc < 2 || argc > 3 || !fgets(line, sizeof(line), stdin))
		return 2;
	base = argv[1];
	for (int i = 0; argc == 3 && i < atoi(argv[2]); i++)
		ends_with_sleeping_threads();
	if (argc == 2)
		enter_in_every_way();
	printf("getpriority %ld\nprocesses %ld\nforks %ld\nexecs %ld\n", ledger.getpriority,
	       ledger.processes, ledger.forks, ledger.execs);
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin))
		;
	return 0;
}
