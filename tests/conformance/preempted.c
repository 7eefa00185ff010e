// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * preempted calls|copies|forks ROUNDS NEIGHBOURS: events by threads on one CPU that preempt each other at any
 * moment, also while a tracepoint program runs for them.
 *
 * Neighbours cause events without end, each at a higher real-time priority than the one before it, so
 * that several of them are often inside programs of forktax at once, preempted. Above all of them an
 * observed process wakes again and again, causes one event or a few, and sleeps: from Linux 7.0 on the
 * kernel skips for it each program in which a neighbour was preempted.
 *
 * What everybody did is printed as JSON. A process that copies writes to no other memory of its own, so
 * its faults are known.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../samples/seccomp.h"

enum {
	NEIGHBOURS_MOST = 3,
	PRIORITY = 10, /* of the observed processes */
	NOBODY = 0x7fffffff,
	DONTNEED = 4,
	PAGE = 4096,
	POOL = 8, /* pages that a neighbour fills again and again */
	FILTERED = NR_getpgid,
	OBSERVED_STATUS = 10, /* tells it from the others */
};

/* In memory that all share. Each element has one writer. */
struct ledger {
	volatile int over;
	volatile long dup[NEIGHBOURS_MOST], madvise[NEIGHBOURS_MOST], forks[NEIGHBOURS_MOST];
	volatile long getsid, getppid, denied, born;
};

/* In read-only memory: to sleep must not write to the stack. */
static const struct timespec naps[] = {
	{0, 10000}, {0, 90000}, {0, 30000}, {0, 60000}, {0, 20000}, {0, 110000}, {0, 40000},
	{0, 70000}, {0, 15000}, {0, 50000}, {0, 130000}, {0, 25000}, {0, 80000},
};
enum { NAPS = sizeof(naps) / sizeof(naps[0]) };

static inline __attribute__((always_inline)) void nap(long round)
{
	raw(NR_nanosleep, (long)&naps[round % NAPS], 0, 0);
}

static void be_real_time(int priority)
{
	struct sched_param parameter = { .sched_priority = priority };

	if (sched_setscheduler(0, SCHED_FIFO, &parameter))
		sample__skip("may not give a thread a real-time priority\n");
}

/* Away from forktax, if there is another CPU: it would be a neighbour, too. */
static void stay_on_one_cpu(void)
{
	int here = sched_getcpu(), cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1;
	cpu_set_t one;

	if (cpu == here && cpu > 0)
		cpu--;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		sample__skip("may not choose its CPU\n");
}

static void *memory(size_t size, int flags)
{
	void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);

	if (start == MAP_FAILED)
		sample__fail("no memory\n");
	return start;
}

enum mode { CALLS, COPIES, FORKS, MODES };
static const char *const mode_names[MODES] = { "calls", "copies", "forks" };

/* Events of the kind that is observed, without end. */
static void neighbour(struct ledger *ledger, enum mode mode, int number)
{
	char *pool = memory(POOL * PAGE, MAP_PRIVATE);

	if (number)
		be_real_time(number);
	for (long round = number; !ledger->over; round++) {
		for (int i = 0; i < 12 && mode == CALLS; i++) {
			raw(NR_dup, -1, 0, 0);
			ledger->dup[number]++;
		}
		for (int page = 0; page < POOL && mode == COPIES; page++)
			pool[page * PAGE] = 1;
		raw(NR_madvise, (long)pool, POOL * PAGE, DONTNEED);
		ledger->madvise[number]++;
		if (mode == FORKS) {
			long child = raw__fork();

			if (!child)
				raw__leave(0);
			ledger->forks[number]++;
			raw4(NR_wait4, child, 0, 0, 0);
		}
		if (number)
			nap(round * (number + 2));
	}
	raw__leave(0);
}

/* Calls that succeed, that fail, and in the second half also some that a filter denies. */
static void observe_calls(struct ledger *ledger, long rounds)
{
	be_real_time(PRIORITY);
	for (long round = 0; round < rounds; round++) {
		if (round == rounds / 2 && seccomp__answer(FILTERED, RET_ERRNO | 1, 0))
			sample__fail("seccomp refuses the filter\n");
		nap(round);
		raw(NR_getsid, NOBODY, 0, 0);
		ledger->getsid++;
		if (round % 3 == 0) {
			raw(NR_getppid, 0, 0, 0);
			ledger->getppid++;
		}
		if (round < rounds / 2)
			continue;
		for (int i = 0; i < 1 + round % 2; i++) {
			raw(FILTERED, NOBODY, 0, 0);
			ledger->denied++;
		}
	}
	raw__leave(OBSERVED_STATUS);
}

static void observe_forks(struct ledger *ledger, long rounds)
{
	be_real_time(PRIORITY);
	for (long round = 0; round < rounds; round++) {
		long child;

		nap(round);
		child = raw__fork();
		if (!child)
			raw__leave(0);
		ledger->born++;
		raw4(NR_wait4, child, 0, 0, 0);
	}
	raw__leave(OBSERVED_STATUS);
}

/* `pages` are its parent's, too, who keeps them: each write is a copy. */
static inline __attribute__((always_inline)) void observe_copies(char *pages, long rounds)
{
	for (long round = 0; round < rounds; round++) {
		nap(round);
		*(volatile char *)&pages[round * PAGE] = 2;
	}
	raw__leave(OBSERVED_STATUS);
}

static long sum(const volatile long *counts)
{
	long total = 0;

	for (int i = 0; i < NEIGHBOURS_MOST; i++)
		total += counts[i];
	return total;
}

static void tell(const struct ledger *ledger, long forks, long copies)
{
	printf("{\"calls\":{\"dup\":%ld,\"madvise\":%ld,\"getsid\":%ld,\"getppid\":%ld,\"exit_group\":%ld},",
	       sum(ledger->dup), sum(ledger->madvise) + 1, ledger->getsid, ledger->getppid, forks + 1);
	printf("\"errors\":{\"dup\":%ld,\"getsid\":%ld},", sum(ledger->dup), ledger->getsid);
	printf("\"denied\":{\"getpgid\":%ld},\"forks\":%ld,\"copies\":%ld}\n", ledger->denied, forks,
	       copies);
}

static enum mode read_mode(const char *name)
{
	for (int mode = 0; mode < MODES; mode++)
		if (name && !strcmp(name, mode_names[mode]))
			return mode;
	sample__end(2, "usage: preempted calls|copies|forks ROUNDS NEIGHBOURS\n");
	return MODES;
}

int main(int argc, char **argv)
{
	enum mode mode = read_mode(argc > 3 ? argv[1] : NULL);
	long rounds = sample__number(argv[2]), neighbours = sample__number(argv[3]);
	volatile long observed; /* the parent writes it first, and copies the page of the stack */
	struct ledger *ledger = memory(sizeof(*ledger), MAP_SHARED);
	char *pages = memory((rounds + 1) * PAGE, MAP_PRIVATE);

	stay_on_one_cpu();
	madvise(pages, rounds * PAGE, MADV_NOHUGEPAGE);
	memset(pages, 1, rounds * PAGE);
	for (int i = 0; i < neighbours && i < NEIGHBOURS_MOST; i++)
		if (!raw__fork())
			neighbour(ledger, mode, i);
	be_real_time(PRIORITY);
	observed = raw__fork();
	if (!observed && mode == CALLS)
		observe_calls(ledger, rounds);
	if (!observed && mode == FORKS)
		observe_forks(ledger, rounds);
	if (!observed)
		observe_copies(pages, rounds);
	raw4(NR_wait4, observed, 0, 0, 0);
	ledger->over = 1;
	while (raw4(NR_wait4, -1, 0, 0, 0) > 0)
		;
	tell(ledger, sum(ledger->forks) + ledger->born + 1 + neighbours, mode == COPIES ? rounds : 0);
	fflush(stdout);
	raw__leave(0);
}
