/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * watchmember A B: a process that enters the cgroup A (a directory), works there, moves to B with all its threads, works
 * there, forks, and ends. Prints what each of them has to count, "CGROUP CALLS FAULTS FORKS ENDS COPIES" a line: calls are
 * those that it makes, faults the difference of what getrusage(2) and wait4(2) say. Between the moves and the questions
 * nothing faults: all that they touch has been touched before.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES_IN_A = 100, PAGES_IN_B = 30, THREAD_PAGES = 7, COPIES = 12, CHILDREN = 5,
       CALLS_IN_A = 1000, CALLS_IN_B = 300, THREAD_CALLS = 50 };

struct ledger {
	long calls, faults, forks, ends, copies;
};

static struct ledger *shared; /* of a, of b */
static int into[2]; /* cgroup.procs of a, of b */
static int to_thread[2], from_thread[2];
static volatile pid_t thread_id;
static char *pages;

static void fail(const char *what)
{
	perror(what);
	_exit(1);
}

static long faults_of(int whom)
{
	struct rusage usage;

	syscall(SYS_getrusage, whom, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

static void enter(int cgroup)
{
	if (syscall(SYS_write, into[cgroup], "0", 1) != 1)
		fail("cgroup.procs");
}

static void call(int times)
{
	for (int i = 0; i < times; i++)
		syscall(SYS_getppid);
}

static void touch(int first, int count)
{
	for (int i = first; i < first + count; i++)
		pages[i * PAGE]++;
}

/* Sleeps in read(2) while the other one moves the process. */
static void *work_in_thread(void *unused)
{
	char byte;

	(void)unused;
	thread_id = (pid_t)syscall(SYS_gettid);
	syscall(SYS_read, to_thread[0], &byte, 1);
	call(THREAD_CALLS);
	touch(PAGES_IN_A + PAGES_IN_B, THREAD_PAGES);
	syscall(SYS_write, from_thread[1], &byte, 1);
	syscall(SYS_read, to_thread[0], &byte, 1);
	return NULL;
}

static int open_stat_of_thread(void)
{
	char path[64];
	int stat;

	while (!thread_id)
		usleep(1000);
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)thread_id);
	stat = open(path, O_RDONLY | O_CLOEXEC);
	if (stat < 0)
		fail(path);
	return stat;
}

/* Looks until the thread sleeps, which it does in read(2) alone. Returns how many calls that took. */
static int await_sleep(int stat)
{
	char text[1024] = "", *end;
	int calls = 0;

	do {
		if (syscall(SYS_pread64, stat, text, sizeof(text) - 1, 0L) <= 0)
			fail("stat of the thread");
		calls++;
		end = strrchr(text, ')'); /* of its name; its state follows */
	} while (!end || end[2] != 'S');
	return calls;
}

/* The pages of the parent, which it has written: each write copies one. */
static void fork_and_copy(void)
{
	for (int i = 0; i < CHILDREN; i++) {
#ifdef SYS_fork
		pid_t pid = (pid_t)syscall(SYS_fork);
#else
		pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif

		if (pid < 0)
			fail("fork");
		if (!pid) {
			touch(0, COPIES);
			syscall(SYS_exit_group, 0);
		}
		if (syscall(SYS_wait4, pid, NULL, 0, NULL) != pid)
			fail("wait4");
	}
}

static void work(void)
{
	struct ledger *a = &shared[0], *b = &shared[1];
	long begin, moved;
	pthread_t thread;
	char byte;
	int stat;

	if (pthread_create(&thread, NULL, work_in_thread, NULL))
		fail("pthread_create");
	stat = open_stat_of_thread();
	await_sleep(stat);
	enter(0); /* so that what it touches is there; both are its own twice */
	faults_of(RUSAGE_SELF);
	begin = faults_of(RUSAGE_SELF);
	enter(0);
	call(CALLS_IN_A);
	touch(0, PAGES_IN_A);
	moved = faults_of(RUSAGE_SELF);
	enter(1);
	a->calls = 2 + 1 + CALLS_IN_A + 1 + 1; /* the second entry into A, and what leads to B, too */
	a->faults = moved - begin;
	call(CALLS_IN_B);
	touch(PAGES_IN_A, PAGES_IN_B);
	if (write(to_thread[1], "x", 1) != 1 || read(from_thread[0], &byte, 1) != 1)
		fail("thread");
	b->calls = await_sleep(stat); /* it reads again, until the end */
	b->calls += CALLS_IN_B + 2 + THREAD_CALLS + 2 + 3 * CHILDREN + 1;
	fork_and_copy();
	b->forks = CHILDREN;
	b->ends = CHILDREN + 1;
	b->copies = CHILDREN * COPIES;
	b->faults = -moved; /* wait4() adds all */
	syscall(SYS_exit_group, 0);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "a", "b" };
	struct rusage usage;
	pid_t pid;

	if (argc != 3)
		return 2;
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pages = mmap(NULL, 1024 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || pages == MAP_FAILED || madvise(pages, 1024 * PAGE, MADV_NOHUGEPAGE))
		fail("mmap");
	memset(shared, 0, PAGE);
	for (int i = 0; i < 2; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/cgroup.procs", argv[1 + i]);
		into[i] = open(path, O_WRONLY | O_CLOEXEC);
		if (into[i] < 0)
			fail(path);
	}
	if (pipe(to_thread) || pipe(from_thread))
		fail("pipe");
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid)
		work();
	if (wait4(pid, NULL, 0, &usage) != pid)
		fail("wait4");
	shared[1].faults += usage.ru_minflt + usage.ru_majflt;
	for (int i = 0; i < 2; i++)
		printf("%s %ld %ld %ld %ld %ld\n", names[i], shared[i].calls, shared[i].faults, shared[i].forks,
		       shared[i].ends, shared[i].copies);
	return 0;
}
