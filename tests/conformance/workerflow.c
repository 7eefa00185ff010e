/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool that unshares its pages one by one, by known writers at known moments: a master and two workers A
 * and B; meanwhile A forks C, and the master D. All have one region; each case has pages of its own there.
 * Prints {"region", "pages", "master", "a", "b"}, waits for a byte, acts, and tells each write as a line of
 * JSON: {"case", "pid", "page", "writer", "from", "to"}: between two moments (CLOCK_MONOTONIC, ns) the
 * process wrote to that page by that function, or in that call; "copied": false if nothing had to be
 * copied. Then {"done": pid of D, "read_first": pages}; ends with its stdin. `read_first`: how many pages there
 * are, by the kernel, where 2 MiB were first read and then written to at one place (until Linux 6.12 one).
 *
 *	workerflow [quiet]	without writes that no page fault tells of
 */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "die_with.h"

/* Of the kernel that this is built for. */
#ifndef PAGE_BYTES
#define PAGE_BYTES 4096
#endif
enum { PAGE = PAGE_BYTES, HUGE = 2 << 20, PAGES = 128, MOVED = PAGES, FRESH = 2 * PAGES, ALL = 3 * PAGES };

static char *region; /* ALL pages */
static char *huge; /* of 2 MiB; NULL: the machine gives none */
static bool quiet;
static volatile unsigned long *read_first; /* shared by all */
static pid_t master, pid_a, pid_b, pid_c, pid_d;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* All write what others can see: into the ledger, as a line each, from whatever process. */
static void tell(const char *name, const char *address, const char *writer, bool copied, uint64_t from,
		 uint64_t to)
{
	char line[256];
	int length = snprintf(line, sizeof(line),
			      "{\"case\": \"%s\", \"pid\": %d, \"page\": %" PRIuPTR ", \"writer\": \"%s\", "
			      "\"copied\": %s, \"from\": %" PRIu64 ", \"to\": %" PRIu64 "}\n",
			      name, (int)getpid(), (uintptr_t)address, writer, copied ? "true" : "false",
			      from, to);

	if (write(STDOUT_FILENO, line, length) != length)
		_exit(1);
}

#define WRITER(name) \
	__attribute__((noinline)) void name(volatile char *address) \
	{ \
		address[0]++; \
	}

WRITER(write_alpha)
WRITER(write_beta)
WRITER(write_gamma)
WRITER(write_fresh)
WRITER(write_read_first)

/* Without reading before: the kernel would map its huge page of zeros then. */
__attribute__((noinline)) void write_huge(volatile char *address)
{
	address[0] = 1;
}

typedef void writer_fn(volatile char *address);

static void pace(void)
{
	usleep(2000);
}

static void act(const char *name, writer_fn *writer, const char *called, size_t page, size_t count,
		bool copied)
{
	for (size_t i = page; i < page + count; i++) {
		char *address = region + i * PAGE;
		uint64_t from = now();

		writer(address + 8 * (i % 100));
		tell(name, address, called, copied, from, now());
		pace();
	}
}

#define ACT(name, writer, page, count) act(name, writer, #writer, page, count, true)
#define FILL(name, page, count) act(name, write_fresh, "write_fresh", page, count, false)

/* The kernel writes: read(2) from a pipe. */
static void act_kernel(size_t page, size_t count)
{
	int ends[2];

	if (pipe(ends))
		_exit(1);
	for (size_t i = page; i < page + count; i++) {
		char *address = region + i * PAGE;
		uint64_t from;

		if (write(ends[1], "x", 1) != 1)
			_exit(1);
		from = now();
		if (read(ends[0], address, 1) != 1)
			_exit(1);
		tell("kernel", address, "read", true, from, now());
		pace();
	}
	close(ends[0]);
	close(ends[1]);
}

static void map(char *address, size_t pages, int flags)
{
	if (mmap(address, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
		 0) == MAP_FAILED) {
		perror("workerflow: mmap");
		_exit(1);
	}
}

/* Nobody has copied these, and in the end nobody has them. */
static void give_up(void)
{
	madvise(region + 104 * PAGE, 4 * PAGE, MADV_DONTNEED);
}

/* C: forked from A, so that pages which A had copied are shared again. It ends by itself. */
static void run_c(void)
{
	pid_c = getpid();
	ACT("child", write_gamma, 0, 3);
	_exit(0);
}

static void run_a(void)
{
	ACT("user", write_alpha, 0, 8);
	ACT("last", write_alpha, 24, 2); /* B, too; then the master is alone with these */
	act_kernel(16, 4);
	/* Freed and filled again: the copy is not shared any more. */
	ACT("freed", write_alpha, 32, 2);
	madvise(region + 32 * PAGE, 2 * PAGE, MADV_DONTNEED);
	FILL("freed", 32, 2);
	/* Elsewhere by now, and still shared. */
	mremap(region + 40 * PAGE, 4 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
	       region + MOVED * PAGE);
	ACT("moved", write_alpha, MOVED, 3);
	if (!(pid_c = fork()))
		run_c();
	waitpid(pid_c, NULL, 0);
	/* A's pages 0 to 2 are its alone again, 3 and 4, too: C has ended. Only reuses. */
	act("reused", write_alpha, "write_alpha", 0, 5, false);
	give_up();
	for (size_t i = 0; huge && i < 3; i++) {
		uint64_t from = now();

		write_alpha(huge + i * 100 * PAGE);
		tell("huge", huge + i * 100 * PAGE, "write_alpha", true, from, now());
		pace();
	}
}

/* KiB of anonymous memory in the mapping that begins there. */
static unsigned long anonymous_at(const char *address)
{
	FILE *file = fopen("/proc/self/smaps", "re");
	unsigned long start, end, kib = 0;
	bool inside = false;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			inside = start == (uintptr_t)address;
		else if (inside)
			sscanf(line, "Anonymous: %lu", &kib);
	}
	if (file)
		fclose(file);
	return kib;
}

static void run_b(void)
{
	uint64_t from;

	ACT("other", write_beta, 8, 5);
	ACT("last", write_beta, 24, 2);
	give_up();
	madvise(region + 48 * PAGE, 5 * PAGE, MADV_DONTNEED);
	munmap(region + 56 * PAGE, 4 * PAGE);
	map(region + FRESH * PAGE, 40, MAP_FIXED);
	madvise(region + FRESH * PAGE, 40 * PAGE, MADV_NOHUGEPAGE);
	FILL("fresh", FRESH, 40);
	if (huge) { /* 2 MiB by one write */
		char *fresh = huge + HUGE;

		map(fresh, HUGE / PAGE, MAP_FIXED);
		madvise(fresh, HUGE, MADV_HUGEPAGE);
		write_huge(fresh);
		fresh += 2 * HUGE; /* a mapping of its own */
		map(fresh, HUGE / PAGE, MAP_FIXED);
		madvise(fresh, HUGE, MADV_HUGEPAGE);
		write_read_first(fresh);
		*read_first = anonymous_at(fresh) * 1024 / PAGE;
		madvise(fresh, HUGE, MADV_NOHUGEPAGE); /* or khugepaged makes one of it, in time */
	}
	madvise(region + FRESH * PAGE, 10 * PAGE, MADV_DONTNEED);
	from = now();
	if (!vfork()) { /* it writes to B's memory */
		write_gamma(region + 96 * PAGE);
		_exit(0);
	}
	tell("borrowed", region + 96 * PAGE, "write_gamma", true, from, now());
}

static void at_exit_d(void)
{
	ACT("exit", write_gamma, 72, 6);
}

/* The master's own writes, and a worker born meanwhile, which ends with writes. */
static void run_master(void)
{
	ACT("master", write_beta, 64, 4);
	give_up();
	act("sole", write_beta, "write_beta", 24, 2, false);
	if (!(pid_d = fork())) {
		ACT("born", write_alpha, 80, 5);
		usleep(1300000); /* its last second begins after these */
		atexit(at_exit_d);
		exit(0);
	}
	waitpid(pid_d, NULL, 0);
	if (!quiet) { /* not by A itself: no fault tells of it */
		char bytes[5] = "abcd";
		struct iovec from = { bytes, 1 }, to = { region + 88 * PAGE, 1 };

		for (int i = 0; i < 5; i++, to.iov_base = region + (88 + i) * PAGE)
			if (process_vm_writev(pid_a, &from, 1, &to, 1, 0) != 1)
				perror("workerflow: process_vm_writev");
	}
}

static void let(int go, int done)
{
	char byte;

	if (write(go, "", 1) != 1 || read(done, &byte, 1) != 1)
		exit(1);
}

static pid_t worker(void (*run)(void), const int *go, const int *done)
{
	pid_t pid = fork();
	char byte;

	if (pid)
		return pid;
	die_with(master);
	close(go[1]);
	if (read(go[0], &byte, 1) != 1)
		_exit(1);
	run();
	if (write(done[1], "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static bool is_huge(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "re");
	unsigned long kib = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "AnonHugePages: %lu", &kib);
	if (file)
		fclose(file);
	return kib;
}

static void prepare(void)
{
	char *space = mmap(NULL, 5 * HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	region = mmap(NULL, ALL * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	map(region, PAGES, MAP_FIXED);
	madvise(region, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		memset(region + i * PAGE, i + 1, PAGE);
	read_first = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*read_first = 0;
	huge = space + HUGE - (uintptr_t)space % HUGE;
	map(huge, HUGE / PAGE, MAP_FIXED);
	madvise(huge, HUGE, MADV_HUGEPAGE);
	memset(huge, 7, HUGE);
	if (!is_huge())
		huge = NULL;
}

int main(int argc, char **argv)
{
	int go_a[2], go_b[2], done[2];
	char byte, name[16];

	signal(SIGINT, SIG_IGN); /* a watch that is ended so leaves it alone */
	quiet = argc > 1 && !strcmp(argv[1], "quiet");
	master = getpid();
	snprintf(name, sizeof(name), "flow%d", (int)master); /* nobody else's: of all who are forked */
	prctl(PR_SET_NAME, name);
	if (pipe(go_a) || pipe(go_b) || pipe(done))
		return 1;
	prepare();
	pid_a = worker(run_a, go_a, done);
	pid_b = worker(run_b, go_b, done);
	printf("{\"region\": %" PRIuPTR ", \"pages\": %d, \"huge\": %" PRIuPTR ", \"master\": %d, \"a\": %d, "
	       "\"b\": %d}\n", (uintptr_t)region, ALL, (uintptr_t)huge, (int)master, (int)pid_a,
	       (int)pid_b);
	fflush(stdout);
	if (read(0, &byte, 1) != 1)
		return 1;
	let(go_a[1], done[0]);
	let(go_b[1], done[0]);
	run_master();
	printf("{\"done\": %d, \"read_first\": %lu}\n", (int)pid_d, *read_first);
	fflush(stdout);
	if (read(0, &byte, 1) < 0)
		perror("workerflow: stdin");
	return 0;
}
