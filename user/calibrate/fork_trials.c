// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trials of forks of a slim process: unchanged, with more memory to copy, and with children that touch pages.
 * Children of one trial do not inherit the mappings of another (MADV_DONTFORK).
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/sysinfo.h>

#include "calibrate/trials.h"

/*
 * A fork is short and starts two processes, so on a busy CPU others often come between, for as long as
 * many forks take. That time is the difference of the clock and of what parent and child used.
 */
static const double BETWEEN_NS = 10000; /* switching itself takes less than 1000 */

struct stopwatch {
	double begin, cpu; /* ns: when, and the parent's own time by then */
};

static struct stopwatch stopwatch__begin(void)
{
	double cpu = raw__clock(CLOCK_PROCESS_CPUTIME_ID);

	return (struct stopwatch){ .begin = raw__now(), .cpu = cpu };
}

static double ns_of(const struct timeval *time)
{
	return (double)time->tv_sec * 1e9 + (double)time->tv_usec * 1e3;
}

/* Waits for the child; ns since the begin, without others' time. Negative: there is no child. */
static double stopwatch__reap(const struct stopwatch *span, long pid)
{
	struct rusage child;
	double took, others;
	long result;

	if (pid <= 0)
		return -1;
	do
		result = arch__call(SYS_wait4, pid, 0, 0, (long)&child, 0, 0);
	while (result == -EINTR);
	took = raw__now() - span->begin;
	others = took - (raw__clock(CLOCK_PROCESS_CPUTIME_ID) - span->cpu) -
		 ns_of(&child.ru_utime) - ns_of(&child.ru_stime);
	if (result != pid)
		return -1;
	return __builtin_fabs(others) > BETWEEN_NS ? took - others : took;
}

/* ns from the call until the child is reaped; negative: it failed. */
static double fork_once(struct trial_setup *setup, bool is_vfork)
{
	struct stopwatch span;
	long pid;

	trial__chill(setup);
	span = stopwatch__begin();
	pid = arch__fork_exit(is_vfork);
	setup->call_ns = raw__now() - span.begin;
	return stopwatch__reap(&span, pid);
}

/* The child writes the first `count` pages. */
static double fork_and_touch(const struct trial_setup *setup, size_t count)
{
	struct stopwatch span;
	long pid;

	trial__chill(setup);
	span = stopwatch__begin();
	pid = arch__fork();
	if (pid == 0) {
		for (size_t i = 0; i < count; i++)
			((volatile char *)setup->copied)[i * setup->page] = 1;
		raw__call(SYS_exit_group, 0, 0, 0);
	}
	return stopwatch__reap(&span, pid);
}

static bool measure_fork(struct trial_setup *setup, double *ns)
{
	*ns = fork_once(setup, false);
	return *ns >= 0;
}

static bool measure_vfork(struct trial_setup *setup, double *ns)
{
	*ns = fork_once(setup, true);
	return *ns >= 0;
}

enum { OTHER_PAGES = FORK_PAGES + TOUCHED };

/*
 * Even a mapping that is kept out of children costs each fork something: so all such memory is of one.
 * NULL: there is none, or what was thought of for it is used up.
 */
static char *take_room(struct trial_setup *setup, size_t bytes)
{
	if (!setup->room) {
		const size_t all = UNCACHED_BYTES + FORK_TABLES * trial__span(setup) + OTHER_PAGES * setup->page;

		setup->room = raw__map_sparse(all);
		setup->room_left = setup->room ? all : 0;
		raw__advise(setup->room, all, MADV_NOHUGEPAGE);
		raw__advise(setup->room, all, MADV_DONTFORK);
	}
	if (setup->room_left < bytes)
		return NULL;
	setup->room_left -= bytes;
	return setup->room + setup->room_left;
}

/* So many of them, `stride` bytes from one to the next. */
static char *written_pages(struct trial_setup *setup, size_t count, size_t stride)
{
	char *area = take_room(setup, count * stride);

	for (size_t i = 0; area && i < count; i++)
		((volatile char *)area)[i * stride] = 1;
	return area;
}

static bool prepare_copied(struct trial_setup *setup)
{
	if (!setup->copied)
		setup->copied = written_pages(setup, TOUCHED, setup->page);
	return setup->copied;
}

static bool measure_copy(struct trial_setup *setup, double *ns)
{
	size_t first = setup->flip ? TOUCHED : 0;
	double times[2];

	raw__advise(setup->copied, TOUCHED * setup->page, MADV_DOFORK);
	if (!setup->cold)
		fork_and_touch(setup, TOUCHED); /* other trials have evicted it from the caches */
	times[0] = fork_and_touch(setup, first);
	times[1] = fork_and_touch(setup, TOUCHED - first);
	raw__advise(setup->copied, TOUCHED * setup->page, MADV_DONTFORK);
	*ns = (setup->flip ? times[0] - times[1] : times[1] - times[0]) / TOUCHED;
	return times[0] >= 0 && times[1] >= 0;
}

/* The parent writes what it shared with a child that has ended. */
static bool measure_reuse(struct trial_setup *setup, double *ns)
{
	bool good;
	double begin;

	raw__advise(setup->copied, TOUCHED * setup->page, MADV_DOFORK);
	good = fork_once(setup, false) >= 0;
	trial__chill(setup);
	begin = raw__now();
	for (size_t i = 0; i < TOUCHED; i++)
		((volatile char *)setup->copied)[i * setup->page] = 1;
	*ns = (raw__now() - begin) / TOUCHED;
	raw__advise(setup->copied, TOUCHED * setup->page, MADV_DONTFORK);
	return good;
}

static bool prepare_fork_page(struct trial_setup *setup)
{
	setup->fork_pages = written_pages(setup, FORK_PAGES, setup->page);
	return setup->fork_pages;
}

static bool prepare_fork_tables(struct trial_setup *setup)
{
	setup->fork_tables = written_pages(setup, FORK_TABLES, trial__span(setup));
	return setup->fork_tables;
}

/* Not where memory is short: the kernel would kill for it, or swap. */
static bool is_plenty(unsigned long bytes)
{
	struct sysinfo system;

	return !raw__call(SYS_sysinfo, (long)&system, 0, 0) && system.freeram >= 4 * bytes / system.mem_unit;
}

/*
 * The first huge page is written, so that fork copies the mapping; the others are only read, so all
 * of them map the huge zero page. False also if the kernel gives no huge pages.
 */
static bool prepare_fork_huge(struct trial_setup *setup)
{
	const size_t span = trial__span(setup), bytes = FORK_HUGE * span;
	long faults = raw__minor_faults();
	char *area;

	if (!is_plenty(2 * span))
		return false;
	area = raw__map_sparse(bytes + span);
	if (!area)
		return false;
	raw__advise(area, bytes + span, MADV_HUGEPAGE);
	raw__advise(area, bytes + span, MADV_DONTFORK);
	area = trial__begin_of_span(setup, area);
	*(volatile char *)area = 1;
	for (size_t i = 0; i < bytes; i += setup->page)
		(void)((volatile char *)area)[i];
	setup->fork_huge = area;
	return raw__minor_faults() - faults <= 2 * FORK_HUGE;
}

/*
 * They are unmapped after each fork, because even mappings kept out of children cost a fork something.
 * They are mapped one by one: each written one then has an anon_vma of its own, as mappings of objects
 * have. The first fork write-protects what it copies, as earlier forks of a typical parent have done.
 */
static double fork_with_mappings(struct trial_setup *setup, bool written)
{
	size_t bytes = 2 * (size_t)FORK_VMAS * setup->page;
	char *area = raw__map(NULL, bytes);
	double time = -1;

	if (!area)
		return -1;
	raw__call(SYS_munmap, (long)area, (long)bytes, 0);
	for (size_t i = 0; i < FORK_VMAS; i++) {
		volatile char *page = raw__map(area + 2 * i * setup->page, setup->page);

		if (page && written)
			*page = 1;
	}
	if (fork_once(setup, false) >= 0)
		time = fork_once(setup, false);
	raw__call(SYS_munmap, (long)area, (long)bytes, 0);
	return time;
}

static double fork_with_written(struct trial_setup *setup)
{
	return fork_with_mappings(setup, true);
}

static double fork_with_untouched(struct trial_setup *setup)
{
	return fork_with_mappings(setup, false);
}

/*
 * With an area that other forks leave out. It is so large that other trials have evicted it from the
 * caches: a fork before the one that counts warms it.
 */
static double fork_with_area(struct trial_setup *setup, char *area, size_t bytes)
{
	double time;

	raw__advise(area, bytes, MADV_DOFORK);
	if (!setup->cold)
		fork_once(setup, false);
	time = fork_once(setup, false);
	raw__advise(area, bytes, MADV_DONTFORK);
	return time;
}

static double fork_with_pages(struct trial_setup *setup)
{
	return fork_with_area(setup, setup->fork_pages, FORK_PAGES * setup->page);
}

static double fork_with_tables(struct trial_setup *setup)
{
	return fork_with_area(setup, setup->fork_tables, FORK_TABLES * trial__span(setup));
}

static double fork_with_huge(struct trial_setup *setup)
{
	return fork_with_area(setup, setup->fork_huge, FORK_HUGE * trial__span(setup));
}

/* How much more a fork costs with `count` of something than without, per one. */
static bool measure_more(struct trial_setup *setup, double (*fork_with)(struct trial_setup *), int count, double *ns)
{
	double first = setup->flip ? fork_with(setup) : fork_once(setup, false);
	double second = setup->flip ? fork_once(setup, false) : fork_with(setup);

	*ns = (setup->flip ? first - second : second - first) / count;
	return first >= 0 && second >= 0;
}

static bool measure_fork_page(struct trial_setup *setup, double *ns)
{
	bool good = measure_more(setup, fork_with_pages, FORK_PAGES, ns);

	if (good)
		setup->fork_page_ns = *ns;
	return good;
}

static bool prepare_flood(struct trial_setup *setup)
{
	if (!is_plenty(UNCACHED_BYTES))
		return false;
	setup->flood = take_room(setup, UNCACHED_BYTES);
	return setup->flood;
}

/* Sleeps until it is killed, or at most a second, if nobody is left to do it. */
static long fork_sleeper(void)
{
	const struct timespec second = { .tv_sec = 1 };
	long pid = arch__fork();

	if (pid == 0) {
		raw__call(SYS_nanosleep, (long)&second, 0, 0);
		raw__call(SYS_exit_group, 0, 0, 0);
	}
	return pid;
}

/* Neither fork nor the child's end finds anything in the caches: they walk through the same memory. */
static double fork_uncached(const struct trial_setup *setup)
{
	struct stopwatch span, flood, end;
	long pid;

	trial__write_through(setup->flood, UNCACHED_BYTES);
	span = stopwatch__begin();
	pid = fork_sleeper();
	if (pid <= 0)
		return -1;
	flood = stopwatch__begin(); /* the child goes to sleep meanwhile: its own time tells of it */
	trial__write_through(setup->flood, UNCACHED_BYTES);
	end = stopwatch__begin();
	span.begin += end.begin - flood.begin;
	span.cpu += end.cpu - flood.cpu;
	raw__call(SYS_kill, pid, SIGKILL, 0);
	return stopwatch__reap(&span, pid);
}

/* In cold rounds only, as it takes long. */
static bool measure_fork_uncached(struct trial_setup *setup, double *ns)
{
	size_t bytes = FORK_PAGES * setup->page;
	double with, without;

	if (!setup->cold)
		return false;
	raw__advise(setup->fork_pages, bytes, MADV_DOFORK);
	with = fork_uncached(setup);
	raw__advise(setup->fork_pages, bytes, MADV_DONTFORK);
	without = fork_uncached(setup);
	*ns = (with - without) / FORK_PAGES;
	return with >= 0 && without >= 0;
}

static bool has_fork_pages(struct trial_setup *setup)
{
	return setup->fork_pages;
}

/* The call alone: on one CPU the parent goes on first. */
static bool measure_fork_call(struct trial_setup *setup, double *ns)
{
	double with, without;
	bool good = fork_with_pages(setup) >= 0;

	with = setup->call_ns;
	good &= fork_once(setup, false) >= 0;
	without = setup->call_ns;
	*ns = (with - without) / FORK_PAGES;
	return good;
}

static bool measure_fork_table(struct trial_setup *setup, double *ns)
{
	bool good = measure_more(setup, fork_with_tables, FORK_TABLES, ns);

	*ns -= setup->fork_page_ns; /* its one page */
	return good;
}

static bool measure_fork_huge(struct trial_setup *setup, double *ns)
{
	return measure_more(setup, fork_with_huge, FORK_HUGE, ns);
}

static bool measure_vma(struct trial_setup *setup, double *ns)
{
	bool good = measure_more(setup, fork_with_written, FORK_VMAS, ns);

	*ns -= setup->fork_page_ns; /* its one page */
	return good;
}

static bool measure_mapping(struct trial_setup *setup, double *ns)
{
	return measure_more(setup, fork_with_untouched, FORK_VMAS, ns);
}

const struct trial fork_trials[] = {
	{ COST_FORK, NULL, measure_fork },
	{ COST_VFORK, NULL, measure_vfork },
	{ COST_COPY, prepare_copied, measure_copy },
	{ COST_REUSE, prepare_copied, measure_reuse },
	{ COST_FORK_PAGE, prepare_fork_page, measure_fork_page }, /* before those that need it */
	{ COST_FORK_UNCACHED, prepare_flood, measure_fork_uncached },
	{ COST_FORK_CALL, has_fork_pages, measure_fork_call },
	{ COST_FORK_TABLE, prepare_fork_tables, measure_fork_table },
	{ COST_FORK_HUGE, prepare_fork_huge, measure_fork_huge },
	{ COST_VMA, NULL, measure_vma },
	{ COST_MAPPING, NULL, measure_mapping },
};

const size_t fork_trial_count = sizeof(fork_trials) / sizeof(fork_trials[0]);
