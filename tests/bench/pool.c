/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool for tests/bench/workers-state: so many workers, all sharing so much memory with the master; the first
 * maps and unmaps a page again and again, and notes the longest time that took. Prints the pid of the master; for
 * each byte of stdin, that time since the last one, in ns. Ends with its stdin.
 *
 *	pool MIB WORKERS [still]	without the mapping and unmapping
 */
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };

static atomic_uint_least64_t *longest; /* of all processes */

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static char *map(size_t bytes, int flags)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("pool: mmap");
		exit(1);
	}
	return memory;
}

static void map_and_unmap(void)
{
	for (;;) {
		uint64_t begin = now(), took;

		munmap(map(PAGE, MAP_PRIVATE), PAGE);
		took = now() - begin;
		if (took > *longest)
			*longest = took;
		usleep(50); /* others may have to run on this CPU */
	}
}

int main(int argc, char **argv)
{
	size_t size = argc > 2 ? strtoul(argv[1], NULL, 10) << 20 : 0;
	size_t pages = size / PAGE;
	char *memory = map(size, MAP_PRIVATE), byte;
	pid_t master = getpid();

	madvise(memory, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++) { /* as of a program that has run for long: frames in no order */
		size_t at = i * 7919 % pages * PAGE;

		*(size_t *)(memory + at) = at + 1;
	}
	longest = (void *)map(PAGE, MAP_SHARED);
	for (int i = 0; i < atoi(argv[2]); i++)
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != master)
				_exit(0);
			if (!i && argc < 4)
				map_and_unmap();
			for (;;)
				pause();
		}
	printf("%d\n", (int)master);
	fflush(stdout);
	while (read(0, &byte, 1) == 1) {
		printf("%" PRIu64 "\n", (uint64_t)atomic_exchange(longest, 0));
		fflush(stdout);
	}
	return 0;
}
