/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool that copies pages at a rate: two workers write to each of PAGES pages that they share with the
 * master, and compute between two writes (SPINS additions). Prints its pid, waits for a byte, then prints
 * the wall time of the slowest worker and the CPU time of both, in ns.
 *
 *	copies PAGES SPINS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 2, PAGE = 4096 };

struct result {
	uint64_t wall, cpu;
};

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void work(volatile char *memory, long pages, long spins, int go, int done)
{
	volatile uint64_t sum = 0;
	struct result result;
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(1);
	result.wall = now(CLOCK_MONOTONIC);
	result.cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	for (long i = 0; i < pages; i++) {
		memory[i * PAGE]++;
		for (long k = 0; k < spins; k++)
			sum += k;
	}
	result.wall = now(CLOCK_MONOTONIC) - result.wall;
	result.cpu = now(CLOCK_PROCESS_CPUTIME_ID) - result.cpu;
	_exit(write(done, &result, sizeof(result)) != sizeof(result));
}

int main(int argc, char **argv)
{
	long pages = argc > 2 ? atol(argv[1]) : 0, spins = argc > 2 ? atol(argv[2]) : 0;
	struct result one, sum = { 0 };
	int go[2], done[2];
	char *memory, byte;

	if (pages <= 0 || pipe(go) || pipe(done)) {
		fprintf(stderr, "usage: copies PAGES SPINS\n");
		return 2;
	}
	memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(memory, pages * PAGE, MADV_NOHUGEPAGE);
	memset(memory, 1, pages * PAGE);
	for (int i = 0; i < WORKERS; i++)
		if (!fork())
			work(memory, pages, spins, go[0], done[1]);
	printf("%d\n", (int)getpid());
	fflush(stdout);
	if (read(0, &byte, 1) != 1 || write(go[1], "..", WORKERS) != WORKERS)
		return 1;
	for (int i = 0; i < WORKERS; i++) {
		if (read(done[0], &one, sizeof(one)) != sizeof(one))
			return 1;
		sum.wall = one.wall > sum.wall ? one.wall : sum.wall;
		sum.cpu += one.cpu;
	}
	while (wait(NULL) > 0)
		;
	printf("%lu %lu\n", (unsigned long)sum.wall, (unsigned long)sum.cpu);
	return 0;
}
