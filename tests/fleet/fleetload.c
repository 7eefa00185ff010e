/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A unit with a known load. fleetload WORKERS: forks so many workers, which write half of what they inherit and wait.
 * Then, for each line "FORKS PAGES EXECS VFORKS" on stdin: forks children that write to PAGES inherited pages, forks
 * and vforks children that execute this program, and prints what it did, with the page faults of these children as
 * wait4 returns them.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw.h"

enum { PAGE = 4096, PAGES = 1024 };

static char *memory;
static char *self[] = { NULL, "--nothing", NULL };

static void write_to(long pages, char value)
{
	for (long i = 0; i < pages; i++)
		((volatile char *)memory)[i * PAGE] = value;
}

static int status;
static struct rusage usage;

/* Returns the faults of the child. */
static inline long reap(long child)
{
	if (child < 0 || raw4(NR_wait4, child, (long)&status, 0, (long)&usage) != child || status)
		errx(1, "a child failed");
	return usage.ru_minflt + usage.ru_majflt;
}

/*
 * From the fork on, the parent writes to no page until the child has ended: else either might copy a page first,
 * and the number of copies of the children would depend on the scheduler.
 */
static long fork_and_write(long pages)
{
	const long child = raw__fork();

	if (!child) {
		write_to(pages, 2);
		raw__leave(0);
	}
	return reap(child);
}

static long fork_and_exec(void)
{
	const pid_t child = fork();

	if (!child) {
		execv(self[0], self);
		_exit(1);
	}
	return reap(child);
}

static long vfork_and_exec(void)
{
	const pid_t child = vfork();

	if (!child) {
		execv(self[0], self);
		_exit(1);
	}
	return reap(child);
}

static void start_worker(void)
{
	const pid_t parent = getpid(), child = fork();

	if (child < 0)
		err(1, "a worker");
	if (child)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	write_to(PAGES / 2, 3);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	long forks, pages, execs, vforks;

	if (argc != 2)
		errx(2, "usage: fleetload WORKERS");
	if (!strcmp(argv[1], "--nothing"))
		return 0;
	self[0] = argv[0];
	setvbuf(stdout, NULL, _IOLBF, 0);
	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		err(1, "mmap");
	madvise(memory, PAGES * PAGE, MADV_NOHUGEPAGE);
	write_to(PAGES, 1);
	for (int i = 0; i < atoi(argv[1]); i++)
		start_worker();
	while (scanf("%ld %ld %ld %ld", &forks, &pages, &execs, &vforks) == 4) {
		long of_forks = 0, of_vforks = 0;

		for (long i = 0; i < forks; i++)
			of_forks += fork_and_write(pages);
		for (long i = 0; i < execs; i++)
			of_forks += fork_and_exec();
		for (long i = 0; i < vforks; i++)
			of_vforks += vfork_and_exec();
		printf("{\"forks\": %ld, \"pages\": %ld, \"execs\": %ld, \"vforks\": %ld, \"fork_faults\": %ld, "
		       "\"vfork_faults\": %ld}\n",
		       forks, pages, execs, vforks, of_forks, of_vforks);
	}
	return 0;
}
