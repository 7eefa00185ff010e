// SPDX-License-Identifier: GPL-2.0-or-later
#include "calibrate/watch_trial.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/page.h"
#include "calibrate/one_cpu.h"
#include "calibrate/raw.h"

/*
 * A CPU is half as fast while its sibling is busy, or with another clock rate: that is more than counting adds. So each
 * time is divided by that of a yardstick next to it, and of many rounds the median counts.
 */
enum { ROUNDS = 61, CALLS = 500, PAGES = 128, FORKS = 16, YARDS = 20000 };

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
	volatile char *pages = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				    -1, 0);
	double begin = cpu_ns(), took;

	if (pages == MAP_FAILED)
		return INFINITY;
	for (int i = 0; i < PAGES; i++)
		pages[i * page_bytes] = 1;
	took = cpu_ns() - begin;
	munmap((void *)pages, PAGES * page_bytes);
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

/* Writes to these pages, which the caller shares with its parent. */
static double written_ns(volatile char *pages)
{
	double begin = cpu_ns();

	for (int i = 0; i < PAGES; i++)
		pages[i * page_bytes] = 2;
	return (cpu_ns() - begin) / PAGES;
}

/* Of one copy, in a child. */
static double copy_ns(void)
{
	const size_t bytes = PAGES * page_bytes;
	volatile char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile double *result = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double took = INFINITY;
	pid_t pid = -1;

	if (pages != MAP_FAILED && result != MAP_FAILED) {
		memset((void *)pages, 1, bytes);
		*result = INFINITY;
		pid = fork();
	}
	if (!pid) {
		*result = written_ns(pages);
		_exit(0);
	}
	if (pid > 0) {
		waitpid(pid, NULL, 0);
		took = *result;
	}
	if (pages != MAP_FAILED)
		munmap((void *)pages, bytes);
	if (result != MAP_FAILED)
		munmap((void *)result, page_bytes);
	return took;
}

/* A loop that no program looks at. */
static double yardstick_ns(void)
{
	volatile uint32_t value = 1;
	double begin = cpu_ns();

	for (int i = 0; i < YARDS; i++)
		value = value * 1664525 + 1013904223;
	return cpu_ns() - begin;
}

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

/* One operation, in yardsticks. */
static double in_yardsticks(double (*operation_ns)(void))
{
	double ratios[ROUNDS], before = yardstick_ns();

	for (int i = 0; i < ROUNDS; i++) {
		const double took = operation_ns(), after = yardstick_ns();

		ratios[i] = took / ((before + after) / 2);
		before = after;
	}
	return median(ratios);
}

static double usual_yardstick_ns(void)
{
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		times[i] = yardstick_ns();
	return median(times);
}

static struct watch_trial measure(void)
{
	return (struct watch_trial){
		.yardstick_ns = usual_yardstick_ns(),
		.times = { .call = in_yardsticks(call_ns),
			   .fault = in_yardsticks(fault_ns),
			   .fork = in_yardsticks(fork_ns),
			   .write = in_yardsticks(copy_ns) },
	};
}

/* forktax itself is not counted; a child of it is. */
bool watch_trial__run(struct watch_trial *trial)
{
	bool good;
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return false;
	pid = fork();
	if (!pid) {
		signal(SIGPIPE, SIG_DFL);
		stay_on_this_cpu(); /* else what counting adds would be lost in where children start */
		*trial = measure();
		_exit(write(ends[1], trial, sizeof(*trial)) != sizeof(*trial));
	}
	close(ends[1]);
	good = pid > 0 && read(ends[0], trial, sizeof(*trial)) == sizeof(*trial);
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return good;
}

static double added(double before, double now, double yardstick_ns)
{
	return fmax(now - before, 0) * yardstick_ns;
}

struct watch_costs watch_trial__added(const struct watch_trial *before, const struct watch_trial *now)
{
	const double yardstick_ns = now->yardstick_ns;
	struct watch_costs costs = {
		.call = added(before->times.call, now->times.call, yardstick_ns),
		.fault = added(before->times.fault, now->times.fault, yardstick_ns),
		.fork = added(before->times.fork, now->times.fork, yardstick_ns),
	};

	costs.write = fmax(added(before->times.write, now->times.write, yardstick_ns) - costs.fault, 0);
	return costs;
}
