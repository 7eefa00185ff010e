// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Faults in a single process: the time of touching pages and giving them back, less that of giving
 * back none. The kernel counts the faults, so it does not matter how many pages each of them maps.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibrate/trials.h"

enum { CALLS = 64, FILE_PAGES_MOST = 512, AROUND = 64 << 10 /* bytes */ };

/* Pages to touch: `count` of them, `stride` bytes apart. */
struct touch {
	char *start;
	size_t count, stride;
	bool write;
	char *forget; /* what to give back afterwards */
	size_t forget_bytes;
};

static void do_touch(const struct touch *touch)
{
	for (size_t i = 0; i < touch->count; i++) {
		volatile char *page = touch->start + i * touch->stride;

		if (touch->write)
			*page = 1;
		else
			(void)*page;
	}
}

static double forget(const struct touch *touch)
{
	double begin = raw__now();

	madvise(touch->forget, touch->forget_bytes, MADV_DONTNEED);
	return raw__now() - begin;
}

/* ns per fault, giving back the page included. */
static bool measure_touch(const struct trial_setup *setup, const struct touch *touch, double *ns)
{
	long faults;
	double begin, with, without;

	forget(touch);
	faults = raw__minor_faults();
	trial__chill(setup);
	begin = raw__now();
	do_touch(touch);
	with = raw__now() - begin;
	faults = raw__minor_faults() - faults;
	with += forget(touch);
	without = forget(touch);
	if (faults <= 0)
		return false;
	*ns = (with - without) / (double)faults;
	return true;
}

static bool measure_syscall(struct trial_setup *setup, double *ns)
{
	double begin;

	trial__chill(setup);
	begin = raw__now();
	for (int i = 0; i < CALLS; i++)
		raw__call(SYS_getppid, 0, 0, 0);
	*ns = (raw__now() - begin) / CALLS;
	return true;
}

/* Anonymous pages behind one that stays, so that their page table stays, too. */
static bool prepare_fresh(struct trial_setup *setup)
{
	size_t bytes = (TOUCHED + 1) * setup->page;
	char *area;

	if (setup->fresh)
		return true;
	area = raw__map(NULL, bytes);
	if (!area)
		return false;
	madvise(area, bytes, MADV_NOHUGEPAGE);
	madvise(area, bytes, MADV_DONTFORK);
	*area = 1;
	setup->fresh = area;
	return true;
}

static bool measure_fresh(struct trial_setup *setup, bool write, double *ns)
{
	char *start = setup->fresh + setup->page;
	const struct touch touch = {
		.start = start,
		.count = TOUCHED,
		.stride = setup->page,
		.write = write,
		.forget = start,
		.forget_bytes = TOUCHED * setup->page,
	};

	return measure_touch(setup, &touch, ns);
}

static bool measure_fill(struct trial_setup *setup, double *ns)
{
	return measure_fresh(setup, true, ns);
}

static bool measure_zero_page(struct trial_setup *setup, double *ns)
{
	return measure_fresh(setup, false, ns);
}

static void *map_file(int fd, void *at, size_t bytes, off_t offset)
{
	int fixed = at ? MAP_FIXED : 0;

	return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | fixed, fd, offset);
}

/* Every other page of a reserved range, so that mappings cannot merge. */
static char *map_singles(const struct trial_setup *setup, int fd)
{
	size_t bytes = 2 * TOUCHED * setup->page;
	char *area = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		return NULL;
	munmap(area, bytes);
	for (size_t i = 0; i < TOUCHED; i++) {
		off_t offset = (off_t)(i % setup->file_pages * setup->page);

		if (map_file(fd, area + 2 * i * setup->page, setup->page, offset) == MAP_FAILED)
			return NULL;
	}
	madvise(area, bytes, MADV_DONTFORK);
	return area;
}

/* The C library's file, which every program has in the page cache; in a static one, the program's. */
static int open_file(void)
{
	Dl_info info;
	int fd = -1;

	if (dladdr((void *)getppid, &info) && info.dli_fname && info.dli_fname[0] == '/')
		fd = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
	return fd >= 0 ? fd : open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static bool prepare_file(struct trial_setup *setup)
{
	struct stat file;
	int fd;

	if (setup->file_singles)
		return true;
	fd = open_file();
	if (fd < 0)
		return false;
	if (fstat(fd, &file) || file.st_size < (off_t)setup->page) {
		close(fd);
		return false;
	}
	setup->file_pages = (size_t)file.st_size / setup->page;
	if (setup->file_pages > FILE_PAGES_MOST)
		setup->file_pages = FILE_PAGES_MOST;
	setup->file = map_file(fd, NULL, setup->file_pages * setup->page, 0);
	if (setup->file != MAP_FAILED) {
		madvise(setup->file, setup->file_pages * setup->page, MADV_DONTFORK);
		setup->file_singles = map_singles(setup, fd);
	}
	close(fd);
	return setup->file_singles;
}

static bool measure_map(struct trial_setup *setup, double *ns)
{
	const struct touch touch = {
		.start = setup->file_singles,
		.count = TOUCHED,
		.stride = 2 * setup->page,
		.forget = setup->file_singles,
		.forget_bytes = 2 * TOUCHED * setup->page,
	};

	return measure_touch(setup, &touch, ns);
}

static bool measure_map_around(struct trial_setup *setup, double *ns)
{
	const struct touch touch = {
		.start = setup->file,
		.count = setup->file_pages * setup->page / AROUND,
		.stride = AROUND,
		.forget = setup->file,
		.forget_bytes = setup->file_pages * setup->page,
	};

	return touch.count && measure_touch(setup, &touch, ns);
}

static bool measure_file_copy(struct trial_setup *setup, double *ns)
{
	const struct touch touch = {
		.start = setup->file,
		.count = setup->file_pages < TOUCHED ? setup->file_pages : TOUCHED,
		.stride = setup->page,
		.write = true,
		.forget = setup->file,
		.forget_bytes = setup->file_pages * setup->page,
	};

	return measure_touch(setup, &touch, ns);
}

/* Reads TABLES pages `stride` bytes apart in a new mapping, and unmaps it: with their page tables. */
static double read_and_unmap(const struct trial_setup *setup, size_t stride)
{
	size_t bytes = (TABLES + 1) * trial__span(setup);
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	char *area = mmap(NULL, bytes, PROT_READ, flags, -1, 0);
	struct touch touch = { .count = TABLES, .stride = stride };
	double begin;

	if (area == MAP_FAILED)
		return -1;
	madvise(area, bytes, MADV_NOHUGEPAGE);
	touch.start = trial__begin_of_span(setup, area);
	trial__chill(setup);
	begin = raw__now();
	do_touch(&touch);
	munmap(area, bytes);
	return raw__now() - begin;
}

static bool measure_page_table(struct trial_setup *setup, double *ns)
{
	const size_t span = trial__span(setup);
	double first = read_and_unmap(setup, setup->flip ? span : setup->page);
	double second = read_and_unmap(setup, setup->flip ? setup->page : span);
	double apart = setup->flip ? first : second, together = setup->flip ? second : first;

	*ns = (apart - together) / (TABLES - 1);
	return first >= 0 && second >= 0;
}

/* No file has this name: the child does all that precedes an exec, and ends. */
static double spawn_nothing(const struct trial_setup *setup)
{
	char *const argv[] = { "", NULL };
	double begin;
	pid_t pid;
	int error;

	trial__chill(setup);
	begin = raw__now();
	error = posix_spawn(&pid, "", NULL, NULL, argv, argv + 1);
	return error == ENOENT ? raw__now() - begin : -1;
}

static double vfork_nothing(const struct trial_setup *setup)
{
	double begin;
	long pid;

	trial__chill(setup);
	begin = raw__now();
	pid = arch__fork_exit(true);
	return pid > 0 && waitpid((pid_t)pid, NULL, 0) == pid ? raw__now() - begin : -1;
}

static bool measure_spawn(struct trial_setup *setup, double *ns)
{
	double first = setup->flip ? spawn_nothing(setup) : vfork_nothing(setup);
	double second = setup->flip ? vfork_nothing(setup) : spawn_nothing(setup);

	*ns = setup->flip ? first - second : second - first;
	return first >= 0 && second >= 0;
}

const struct trial fault_trials[] = {
	{ COST_SYSCALL, NULL, measure_syscall },
	{ COST_FILL, prepare_fresh, measure_fill },
	{ COST_ZERO_PAGE, prepare_fresh, measure_zero_page },
	{ COST_MAP, prepare_file, measure_map },
	{ COST_MAP_AROUND, prepare_file, measure_map_around },
	{ COST_FILE_COPY, prepare_file, measure_file_copy },
	{ COST_PAGE_TABLE, NULL, measure_page_table },
	{ COST_SPAWN, NULL, measure_spawn },
	{ COST_SYMBOL, symbol_trial__prepare, symbol_trial__measure },
};

const size_t fault_trial_count = sizeof(fault_trials) / sizeof(fault_trials[0]);
