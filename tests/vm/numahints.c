/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * numahints PAGES: fills pages on one NUMA node and reads them on another, until the kernel has asked for
 * each of them who uses it (numa_hint_faults in /proc/vmstat), or half a minute has passed. Prints how
 * often it has asked. For CPUs 0 and 1 on a node each, and a machine where nothing else runs.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096, PATIENCE_S = 30 };

static unsigned long count_hints(void)
{
	FILE *file = fopen("/proc/vmstat", "re");
	unsigned long count = 0;
	char line[256];

	if (!file)
		err(2, "/proc/vmstat");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "numa_hint_faults %lu", &count) == 1)
			break;
	fclose(file);
	return count;
}

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "CPU %d", cpu);
}

int main(int argc, char **argv)
{
	long pages = argc > 1 ? atol(argv[1]) : 2048;
	volatile char *memory;
	unsigned long before;
	time_t end;

	move_to(0);
	memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		err(2, "mmap");
	madvise((void *)memory, pages * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		memory[i * PAGE] = 1;
	move_to(1);
	before = count_hints();
	end = time(NULL) + PATIENCE_S;
	do {
		for (long i = 0; i < pages; i++)
			(void)memory[i * PAGE];
	} while (count_hints() - before < (unsigned long)pages && time(NULL) < end);
	printf("%lu\n", count_hints() - before);
	return 0;
}
