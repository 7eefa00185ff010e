// SPDX-License-Identifier: GPL-2.0-or-later
#include "calibrate/watch_trial.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "calibrate/raw.h"

/* Short enough to pass between others on a busy CPU; of many rounds the quickest counts. */
enum { ROUNDS = 15, CALLS = 2000, PAGES = 64, FORKS = 4, PAGE = 4096 };

/* CPU time, so that others who use the CPU do not count. */
static double cpu_ns(void)
{
	return clock__ns(CLOCK_THREAD_CPUTIME_ID);
}

static double call_ns(void)
{
	double begin = cpu_ns();

	for (int i = 0; i < CALLS; i++)
		raw__call(SYS_getppid, 0, 0, 0);
	return (cpu_ns() - begin) / CALLS;
}

static double fault_ns(void)
{
	volatile char *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double begin = cpu_ns(), took;

	if (pages == MAP_FAILED)
		return INFINITY;
	for (int i = 0; i < PAGES; i++)
		pages[i * PAGE] = 1;
	took = cpu_ns() - begin;
	munmap((void *)pages, PAGES * PAGE);
	return took / PAGES;
}

static double of_children_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3;
}

static double fork_ns(void)
{
	double begin = cpu_ns() + of_children_ns();

	/* By vfork: a fork takes as long as forktax has memory, which grows when it loads its programs. */
	for (int i = 0; i < FORKS; i++) {
		long pid = arch__fork_exit(true);

		if (pid > 0)
			arch__call(SYS_wait4, pid, 0, 0, 0, 0, 0);
	}
	return (cpu_ns() + of_children_ns() - begin) / FORKS;
}

static struct watch_costs measure(void)
{
	struct watch_costs least = { INFINITY, INFINITY, INFINITY };

	for (int i = 0; i < ROUNDS; i++) {
		least.call = fmin(least.call, call_ns());
		least.fault = fmin(least.fault, fault_ns());
		least.fork = fmin(least.fork, fork_ns());
	}
	return least;
}

/* forktax itself is not counted; a child of it is. */
bool watch_trial__run(struct watch_costs *times)
{
	bool good;
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return false;
	pid = fork();
	if (!pid) {
		signal(SIGPIPE, SIG_DFL);
		*times = measure();
		_exit(write(ends[1], times, sizeof(*times)) != sizeof(*times));
	}
	close(ends[1]);
	good = pid > 0 && read(ends[0], times, sizeof(*times)) == sizeof(*times);
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return good;
}

struct watch_costs watch_trial__added(const struct watch_costs *before, const struct watch_costs *now)
{
	return (struct watch_costs){
		.call = fmax(now->call - before->call, 0),
		.fault = fmax(now->fault - before->fault, 0),
		.fork = fmax(now->fork - before->fork, 0),
	};
}
