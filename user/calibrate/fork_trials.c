// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forks of a slim process: as they are, with more to copy, and with children that touch pages.
 * What a trial keeps mapped stays out of the forks of the others (MADV_DONTFORK).
 */
#include <errno.h>
#include <sys/mman.h>

#include "calibrate/raw.h"
#include "calibrate/trials.h"

static void *map(void *at, size_t bytes)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0);
	long result = raw__call6(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE, flags, -1, 0);

	return result < 0 && result > -4096 ? NULL : (void *)result;
}

static void advise(void *start, size_t bytes, int advice)
{
	raw__call(SYS_madvise, (long)start, (long)bytes, advice);
}

static bool reap(long pid)
{
	long result;

	do
		result = raw__call6(SYS_wait4, pid, 0, 0, 0, 0, 0);
	while (result == -EINTR);
	return result == pid;
}

/* Negative: it failed. */
static double fork_once(long number)
{
	double begin = raw__now();
	long pid = raw__fork_exit(number);

	return pid > 0 && reap(pid) ? raw__now() - begin : -1;
}

/* The child writes the first `count` pages. */
static double fork_and_touch(char *pages, size_t count, size_t page)
{
	double begin = raw__now();
	long pid = raw__call(SYS_fork, 0, 0, 0);

	if (pid == 0) {
		for (volatile char *p = pages; p < pages + count * page; p += page)
			*p = 1;
		raw__call(SYS_exit_group, 0, 0, 0);
	}
	return pid > 0 && reap(pid) ? raw__now() - begin : -1;
}

static bool measure_fork(struct bench *bench, double *ns)
{
	*ns = fork_once(SYS_fork);
	return *ns >= 0;
}

static bool measure_vfork(struct bench *bench, double *ns)
{
	*ns = fork_once(SYS_vfork);
	return *ns >= 0;
}

static char *written_pages(const struct bench *bench, size_t count)
{
	size_t bytes = count * bench->page;
	char *area = map(NULL, bytes);

	if (!area)
		return NULL;
	advise(area, bytes, MADV_NOHUGEPAGE);
	advise(area, bytes, MADV_DONTFORK);
	for (size_t i = 0; i < count; i++)
		((volatile char *)area)[i * bench->page] = 1;
	return area;
}

static bool prepare_copied(struct bench *bench)
{
	if (!bench->copied)
		bench->copied = written_pages(bench, TOUCHED);
	return bench->copied;
}

static bool measure_copy(struct bench *bench, double *ns)
{
	size_t first = bench->flip ? TOUCHED : 0;
	double times[2];

	advise(bench->copied, TOUCHED * bench->page, MADV_DOFORK);
	times[0] = fork_and_touch(bench->copied, first, bench->page);
	times[1] = fork_and_touch(bench->copied, TOUCHED - first, bench->page);
	advise(bench->copied, TOUCHED * bench->page, MADV_DONTFORK);
	*ns = (bench->flip ? times[0] - times[1] : times[1] - times[0]) / TOUCHED;
	return times[0] >= 0 && times[1] >= 0;
}

/* The parent writes what it shared with a child that has ended. */
static bool measure_reuse(struct bench *bench, double *ns)
{
	double begin;

	advise(bench->copied, TOUCHED * bench->page, MADV_DOFORK);
	if (fork_once(SYS_fork) < 0)
		return false;
	begin = raw__now();
	for (size_t i = 0; i < TOUCHED; i++)
		((volatile char *)bench->copied)[i * bench->page] = 1;
	*ns = (raw__now() - begin) / TOUCHED;
	advise(bench->copied, TOUCHED * bench->page, MADV_DONTFORK);
	return true;
}

static bool prepare_fork_page(struct bench *bench)
{
	bench->fork_pages = written_pages(bench, FORK_PAGES);
	return bench->fork_pages;
}

static double fork_with_pages(const struct bench *bench)
{
	double time;

	advise(bench->fork_pages, FORK_PAGES * bench->page, MADV_DOFORK);
	time = fork_once(SYS_fork);
	advise(bench->fork_pages, FORK_PAGES * bench->page, MADV_DONTFORK);
	return time;
}

/* Mapped one by one: each has an anon_vma of its own, as mappings of objects have. */
static double fork_with_vmas(const struct bench *bench)
{
	size_t bytes = 2 * (size_t)FORK_VMAS * bench->page;
	char *area = map(NULL, bytes);
	double time = -1;

	if (!area)
		return -1;
	raw__call(SYS_munmap, (long)area, (long)bytes, 0);
	for (size_t i = 0; i < FORK_VMAS; i++) {
		volatile char *page = map(area + 2 * i * bench->page, bench->page);

		if (page)
			*page = 1;
	}
	time = fork_once(SYS_fork);
	raw__call(SYS_munmap, (long)area, (long)bytes, 0);
	return time;
}

/* What a fork costs more with something than without, per `count` of it. */
static bool measure_more(const struct bench *bench, double (*fork_with)(const struct bench *),
			 int count, double *ns)
{
	double first = bench->flip ? fork_with(bench) : fork_once(SYS_fork);
	double second = bench->flip ? fork_once(SYS_fork) : fork_with(bench);

	*ns = (bench->flip ? first - second : second - first) / count;
	return first >= 0 && second >= 0;
}

static bool measure_fork_page(struct bench *bench, double *ns)
{
	bool good = measure_more(bench, fork_with_pages, FORK_PAGES, ns);

	bench->fork_page_ns = good ? *ns : 0;
	return good;
}

static bool measure_vma(struct bench *bench, double *ns)
{
	bool good = measure_more(bench, fork_with_vmas, FORK_VMAS, ns);

	*ns -= bench->fork_page_ns; /* its one page */
	return good;
}

const struct trial fork_trials[] = {
	{ COST_FORK, NULL, measure_fork },
	{ COST_VFORK, NULL, measure_vfork },
	{ COST_COPY, prepare_copied, measure_copy },
	{ COST_REUSE, prepare_copied, measure_reuse },
	{ COST_FORK_PAGE, prepare_fork_page, measure_fork_page }, /* before COST_VMA, which needs it */
	{ COST_VMA, NULL, measure_vma },
};

const size_t fork_trial_count = sizeof(fork_trials) / sizeof(fork_trials[0]);
