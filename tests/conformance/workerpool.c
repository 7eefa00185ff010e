/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool that knows its memory: a master, two workers A and B, a child C of A, and a child that executes
 * another program. Each case has mappings of its own, between guards; what must be found in it is printed
 * page by page, as lines of JSON: {"case", "pid", "start", "pages", "expect": {class: pages}}. Classes
 * that are not printed are 0. When all is done, a line {"ready": pid of the master}; ends with its stdin.
 *
 *	workerpool [CASE...]
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "die_with.h"

/* Of the kernel that this is built for. */
#ifndef PAGE_BYTES
#define PAGE_BYTES 4096
#endif
enum { PAGE = PAGE_BYTES, WORDS = PAGE / 8, HUGE = 2 << 20, PAGES = 16, SPACE = 2048 * PAGE };
/* Of PAGES pages, in an expectation. */
#if PAGE_BYTES == 4096
#define ALL_WORDS "\"changed_words\": 8192"
#elif PAGE_BYTES == 16384
#define ALL_WORDS "\"changed_words\": 32768"
#elif PAGE_BYTES == 65536
#define ALL_WORDS "\"changed_words\": 131072"
#endif
enum { FILE_PAGES = 4 };
/* The file that is mapped is that of this program: with large pages it needs something to fill so many. */
static const char filling[FILE_PAGES * PAGE] __attribute__((used)) = {1};
enum who { MASTER, A, B, C, NOBODY };

typedef volatile uint64_t word;

struct expect {
	enum who who;
	const char *text; /* members of the JSON object, %s: no */
};

struct pool_case {
	const char *name;
	size_t pages; /* 0: PAGES */
	bool (*prepare)(struct pool_case *self); /* by the master before the fork; false: left out */
	void (*act)(struct pool_case *self, enum who who); /* after it, one after the other */
	struct expect expect[5];
	char *memory; /* SPACE bytes apart from those of other cases */
	size_t moved; /* bytes: where A has it */
	bool absent;
};

static pid_t pids[4], master;

static word *page_of(const struct pool_case *self, size_t page)
{
	return (word *)(self->memory + page * PAGE);
}

static void fill(char *memory, size_t pages, uint64_t seed)
{
	word *words = (word *)memory;

	for (size_t i = 0; i < pages * WORDS; i++)
		words[i] = seed = seed * 6364136223846793005u + 1442695040888963407u;
}

static void map_at(char *memory, size_t bytes)
{
	if (mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
	    memory) {
		perror("workerpool: mmap");
		exit(1);
	}
}

static bool prepare(struct pool_case *self)
{
	map_at(self->memory, self->pages * PAGE);
	madvise(self->memory, self->pages * PAGE, MADV_NOHUGEPAGE);
	fill(self->memory, self->pages, (uintptr_t)self->memory);
	return true;
}

static bool prepare_nothing(struct pool_case *self)
{
	return true;
}

/* Writes what is there already. */
static void copy(struct pool_case *self, size_t first, size_t count)
{
	for (size_t i = first; i < first + count; i++)
		page_of(self, i)[0] = page_of(self, i)[0];
}

/* At most 74 words. */
static void change(struct pool_case *self, size_t page, size_t words)
{
	for (size_t i = 0; i < words; i++)
		page_of(self, page)[i * 7] += 1000;
}

static void act_nothing(struct pool_case *self, enum who who)
{
}

static void act_identical(struct pool_case *self, enum who who)
{
	if (who == A)
		copy(self, 3, 5);
}

static void act_few_words(struct pool_case *self, enum who who)
{
	for (size_t i = 0; who == A && i < 8; i++)
		change(self, i, i + 1);
}

static void act_different(struct pool_case *self, enum who who)
{
	for (size_t i = 0; who == A && i < 5; i++)
		change(self, i, i < 4 ? 9 : 70);
}

/* As reference counts: up or down by at most 16. */
static void act_counts(struct pool_case *self, enum who who)
{
	if (who != B)
		return;
	page_of(self, 0)[0] += 16;
	page_of(self, 0)[1] -= 16;
	page_of(self, 0)[2] += 17;
	page_of(self, 0)[3] ^= 0x60;
}

static void act_master(struct pool_case *self, enum who who)
{
	if (who == MASTER)
		change(self, 2, 3);
	if (who == MASTER)
		copy(self, 4, 5);
}

/* Everybody but the master copies: the master is the last one that has the old page. */
static void act_last(struct pool_case *self, enum who who)
{
	if (who != MASTER)
		copy(self, 0, 3);
	else
		change(self, 0, 1); /* a reuse, no copy */
}

static void act_reused(struct pool_case *self, enum who who)
{
	if (who != A)
		return;
	munmap(self->memory, PAGES * PAGE);
	map_at(self->memory, PAGES * PAGE);
	madvise(self->memory, PAGES * PAGE, MADV_NOHUGEPAGE);
	fill(self->memory, PAGES, 1);
}

static void act_dropped(struct pool_case *self, enum who who)
{
	if (who == A)
		madvise(self->memory + 2 * PAGE, 7 * PAGE, MADV_DONTNEED);
}

static void act_moved(struct pool_case *self, enum who who)
{
	if (who == A)
		mremap(self->memory, PAGES * PAGE, PAGES * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
		       self->memory + self->moved);
}

static void map_file(char *memory, size_t pages)
{
	int fd = open("/proc/self/exe", O_RDONLY);

	if (fd < 0 || mmap(memory, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd,
			   0) != memory) {
		perror("workerpool: mapping a file");
		exit(1);
	}
	close(fd);
}

static void act_replaced(struct pool_case *self, enum who who)
{
	if (who != A)
		return;
	map_file(self->memory, FILE_PAGES);
	copy(self, 0, 3);
}

static void act_new(struct pool_case *self, enum who who)
{
	if (who != A)
		return;
	map_at(self->memory, PAGES * PAGE);
	fill(self->memory, 9, 7);
}

/* All at the same address, after the fork: nothing here was ever shared. */
static void act_collision(struct pool_case *self, enum who who)
{
	if (who == C || who == NOBODY)
		return;
	map_at(self->memory, PAGES * PAGE);
	fill(self->memory, PAGES, who + 1);
}

static bool prepare_file(struct pool_case *self)
{
	map_file(self->memory, FILE_PAGES);
	copy(self, 0, 2);
	return true;
}

static void act_file(struct pool_case *self, enum who who)
{
	if (who == A)
		copy(self, 1, 3);
}

static bool prepare_zero(struct pool_case *self)
{
	map_at(self->memory, PAGES * PAGE);
	madvise(self->memory, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		(void)page_of(self, i)[0];
	copy(self, 3, 1); /* so that somebody has to look here */
	return true;
}

/* A third process has the copy, too. */
static void act_forked(struct pool_case *self, enum who who)
{
	if (who == NOBODY) /* A before it forks C */
		change(self, 0, 1);
	if (who == NOBODY)
		copy(self, 1, 1);
}

static uint64_t smaps_sum(const char *key)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "re");
	char line[256];
	unsigned long kib = 0;

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)))
			sscanf(line + strlen(key), "%lu", &kib);
	if (file)
		fclose(file);
	return kib;
}

static bool prepare_huge(struct pool_case *self)
{
	uint64_t before = smaps_sum("AnonHugePages:");

	map_at(self->memory, self->pages * PAGE);
	madvise(self->memory, self->pages * PAGE, MADV_HUGEPAGE);
	fill(self->memory, self->pages, 3);
	return smaps_sum("AnonHugePages:") == before + self->pages * PAGE / 1024;
}

/* The first page is the master's alone then, and the bit of the page map calls all 512 so. */
static void act_huge(struct pool_case *self, enum who who)
{
	if (who == B || who == C)
		copy(self, 0, 1);
	for (size_t i = 0; who == A && i < 24; i += 8)
		copy(self, i, 1);
}

/* Folios of 64 KiB, if the machine gives them (hugepages-64kB/enabled). */
static bool prepare_folios(struct pool_case *self)
{
	char *memory = self->memory;

	map_at(memory, self->pages * PAGE);
	madvise(memory, self->pages * PAGE, MADV_HUGEPAGE);
	fill(memory, self->pages, 4);
	return true;
}

static void act_folios(struct pool_case *self, enum who who)
{
	if (who == A)
		copy(self, 5, 3);
	if (who == B)
		madvise(self->memory + 16 * PAGE, 8 * PAGE, MADV_DONTNEED);
}

/* Pages that the kernel holds on to are copied by fork itself. */
static bool prepare_pinned(struct pool_case *self)
{
	struct io_uring_params parameters = { 0 };
	struct iovec pinned = { self->memory, 4 * PAGE };
	int ring = syscall(SYS_io_uring_setup, 4, &parameters);

	prepare(self);
	return ring >= 0 && !syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &pinned, 1);
}

static bool is_swapped(const char *memory)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry = 0;

	if (fd < 0 || pread(fd, &entry, 8, (uintptr_t)memory / PAGE * 8) != 8)
		entry = 0;
	close(fd);
	return entry >> 62 & 1;
}

static bool has_swap(void)
{
	char *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*memory = 1;
	madvise(memory, PAGE, MADV_PAGEOUT);
	return is_swapped(memory);
}

static bool prepare_swapped(struct pool_case *self)
{
	return has_swap() && prepare(self);
}

static void act_swapped(struct pool_case *self, enum who who)
{
	if (who != A)
		return;
	change(self, 0, 70); /* pages of its own: shared ones are not swapped alone */
	change(self, 1, 70);
	madvise(self->memory, 2 * PAGE, MADV_PAGEOUT);
}

/*
 * Pages of equal contents in A and B, for the kernel to merge; others in C, which have nothing to do
 * with them. Only if it is asked for by name.
 */
static void act_merged(struct pool_case *self, enum who who)
{
	if (who == MASTER || who == NOBODY)
		return;
	map_at(self->memory, PAGES * PAGE);
	if (who != C)
		madvise(self->memory, PAGES * PAGE, MADV_MERGEABLE);
	fill(self->memory, PAGES, who == C ? 98 : 99);
}

#define ALL_SHARED "\"shared\": 16"

static struct pool_case cases[] = {
	{ "shared", .act = act_nothing,
	  .expect = { { A, ALL_SHARED }, { B, ALL_SHARED }, { C, ALL_SHARED } } },
	{ "identical", .act = act_identical,
	  .expect = { { A, "\"shared\": 11, \"private\": 5, \"identical\": 5, \"proven\": 5" },
		      { B, ALL_SHARED }, { C, ALL_SHARED } } },
	{ "few_words", .act = act_few_words,
	  .expect = { { A, "\"shared\": 8, \"private\": 8, \"few_words\": 8, \"proven\": 8, "
			   "\"changed_words\": 36" },
		      { B, ALL_SHARED } } },
	{ "different", .act = act_different,
	  .expect = { { A, "\"shared\": 11, \"private\": 5, \"different\": 5, \"proven\": 5, "
			   "\"changed_words\": 106" },
		      { B, ALL_SHARED } } },
	{ "counts", .act = act_counts,
	  .expect = { { B, "\"shared\": 15, \"private\": 1, \"few_words\": 1, \"proven\": 1, "
			   "\"changed_words\": 4, \"count_words\": 2, \"age_words\": 1" } } },
	{ "master", .act = act_master,
	  .expect = { { A, ALL_SHARED }, { B, ALL_SHARED }, { C, ALL_SHARED } } },
	{ "last", .act = act_last,
	  .expect = { { A, "\"shared\": 13, \"private\": 3, \"identical\": 2, \"few_words\": 1, "
			   "\"assumed\": 3, \"changed_words\": 1" },
		      { C, "\"shared\": 13, \"private\": 3, \"identical\": 2, \"few_words\": 1, "
			   "\"assumed\": 3, \"changed_words\": 1" } } },
	{ "reused", .act = act_reused,
	  .expect = { { A, "\"private\": 16, \"different\": 16, \"proven\": 16, " ALL_WORDS },
		      { B, ALL_SHARED } } },
	{ "dropped", .act = act_dropped,
	  .expect = { { A, "\"shared\": 9, \"dropped\": 7" }, { B, ALL_SHARED } } },
	{ "moved", .act = act_moved, .moved = 1 << 20,
	  .expect = { { A, "\"shared\": 16, \"remapped\": 16" }, { B, ALL_SHARED } } },
	{ "replaced", .act = act_replaced,
	  .expect = { { A, "\"shared\": 12, \"private\": 3, \"file_private\": 3" }, { B, ALL_SHARED } } },
	{ "new", .prepare = prepare_nothing, .act = act_new,
	  .expect = { { A, "\"private\": 9, \"new\": 9" }, { B, "" } } },
	{ "collision", .prepare = prepare_nothing, .act = act_collision,
	  .expect = { { A, "\"private\": 16, \"unknown_origin\": 16, \"perhaps_different\": 16, "
			   ALL_WORDS },
		      { B, "\"private\": 16, \"unknown_origin\": 16, \"perhaps_different\": 16, "
			   ALL_WORDS },
		      { C, "" } } },
	{ "file", .prepare = prepare_file, .act = act_file, .pages = 4,
	  .expect = { { A, "\"shared\": 1, \"private\": 3, \"identical\": 1, \"proven\": 1, "
			   "\"file_private\": 2" },
		      { B, "\"shared\": 2" } } },
	{ "zero", .prepare = prepare_zero, .act = act_nothing,
	  .expect = { { A, "\"shared\": 1" }, { B, "\"shared\": 1" } } },
	{ "forked", .act = act_forked,
	  .expect = { { A, ALL_SHARED }, { B, ALL_SHARED }, { C, ALL_SHARED } } },
	{ "huge", .prepare = prepare_huge, .act = act_huge, .pages = 1024,
	  .expect = { { A, "\"shared\": 1021, \"private\": 3, \"identical\": 3, \"proven\": 2, "
			   "\"assumed\": 1, \"huge\": 512" },
		      { B, "\"shared\": 1023, \"private\": 1, \"identical\": 1, \"assumed\": 1, "
			   "\"huge\": 512" } } },
	{ "folios", .prepare = prepare_folios, .act = act_folios, .pages = 32,
	  .expect = { { A, "\"shared\": 29, \"private\": 3, \"identical\": 3, \"proven\": 3" },
		      { B, "\"shared\": 24, \"dropped\": 8" } } },
	/* C was forked from A, and shares the copies that A got. */
	{ "pinned", .prepare = prepare_pinned, .act = act_nothing,
	  .expect = { { A, ALL_SHARED }, { B, "\"shared\": 12, \"private\": 4, \"identical\": 4, "
							"\"proven\": 4" } } },
	{ "swapped", .prepare = prepare_swapped, .act = act_swapped,
	  .expect = { { A, "\"shared\": 14, \"swapped\": 2" }, { B, ALL_SHARED } } },
	{ "merged", .prepare = prepare_nothing, .act = act_merged,
	  .expect = { { A, "\"shared\": 16, \"merged\": 16" }, { B, "\"shared\": 16, \"merged\": 16" },
		      { C, "\"private\": 16, \"new\": 16" } } },
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static void begin(int argc, char **argv)
{
	char *space = mmap(NULL, (CASES + 1) * (size_t)SPACE, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	space += SPACE - (uintptr_t)space % SPACE; /* aligned for huge pages */
	for (int i = 0; i < CASES; i++) {
		bool wanted = argc == 1 && strcmp(cases[i].name, "merged");

		for (int k = 1; k < argc; k++)
			wanted |= !strcmp(argv[k], cases[i].name);
		cases[i].memory = space + i * (size_t)SPACE + HUGE;
		cases[i].pages = cases[i].pages ? cases[i].pages : PAGES;
		cases[i].absent = !wanted || !(cases[i].prepare ? cases[i].prepare : prepare)(&cases[i]);
		if (wanted && cases[i].absent)
			printf("{\"absent\": \"%s\"}\n", cases[i].name);
	}
}

static void act(enum who who)
{
	for (int i = 0; i < CASES; i++)
		if (!cases[i].absent)
			cases[i].act(&cases[i], who);
}

/* Waits until the master says so (a byte), and ends with it. */
static void wait_for(const int *pipes)
{
	char byte;

	close(pipes[1]);
	if (read(pipes[0], &byte, 1) != 1)
		_exit(0);
}

static void run_worker(enum who who, const int *go, const int *done)
{
	if (who != C) /* it shall outlive A */
		die_with(master);
	wait_for(go);
	act(who);
	if (write(done[1], "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* C is a child of A. Its pid comes by a pipe. */
static void run_a(const int go[4][2], const int *done)
{
	pid_t child;

	die_with(master);
	act(NOBODY);
	child = fork();
	if (!child)
		run_worker(C, go[C], done);
	if (write(done[1], &child, sizeof(child)) != sizeof(child))
		_exit(1);
	run_worker(A, go[A], done);
}

static void let(enum who who, int go[4][2], const int *done)
{
	char byte;

	if (write(go[who][1], "", 1) != 1 || read(done[0], &byte, 1) != 1)
		exit(1);
}

static void tell(void)
{
	for (int i = 0; i < CASES; i++) {
		const struct pool_case *one = &cases[i];

		for (const struct expect *expect = one->expect; !one->absent && expect->text; expect++) {
			size_t at = expect->who == A ? one->moved : 0;

			printf("{\"case\": \"%s\", \"pid\": %d, \"start\": %" PRIuPTR ", \"pages\": %zu, "
			       "\"expect\": {%s}}\n", one->name, (int)pids[expect->who],
			       (uintptr_t)one->memory + at, one->pages, expect->text);
		}
	}
	printf("{\"ready\": %d, \"workers\": [%d, %d, %d]}\n", (int)getpid(), (int)pids[A],
	       (int)pids[B], (int)pids[C]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int go[4][2], done[2];
	char byte;

	master = getpid();
	begin(argc, argv);
	fflush(stdout);
	for (int i = 0; i < 4; i++)
		if (pipe2(go[i], O_CLOEXEC))
			return 1;
	if (pipe2(done, O_CLOEXEC))
		return 1;
	pids[A] = fork();
	if (!pids[A])
		run_a((const int(*)[2])go, done);
	if (read(done[0], &pids[C], sizeof(pids[C])) != sizeof(pids[C]))
		return 1;
	pids[B] = fork();
	if (!pids[B])
		run_worker(B, go[B], done);
	if (!fork()) {
		die_with(master);
		execlp("sleep", "sleep", "1000", NULL);
		_exit(1);
	}
	let(A, go, done);
	let(B, go, done);
	let(C, go, done);
	act(MASTER);
	tell();
	if (read(0, &byte, 1) < 0)
		perror("workerpool: stdin");
	kill(pids[C], SIGKILL);
	return 0;
}
