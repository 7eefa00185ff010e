// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that lie beside each other on one page of code, and write to so many pages of one mapping in each child.
 * With argument "list" it prints what forktax has to find: function, pages, and who calls it, the innermost first.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define KEEP() __asm__ volatile("" ::: "memory") /* no tail call, nothing left out */

enum { FIRST = 7, SECOND = 20, THIRD = 40, CHILDREN = 3 };

static char *memory;
static long page;

NOINLINE void gamma_(char *at) { for (int i = 0; i < SECOND; i++) at[i * page] = 2; KEEP(); }
NOINLINE void delta_(char *at) { for (int i = 0; i < THIRD; i++) at[i * page] = 3; KEEP(); }

NOINLINE void alpha_(char *at)
{
	for (int i = 0; i < FIRST; i++)
		at[i * page] = 1;
	gamma_(at + FIRST * page);
	delta_(at + (FIRST + SECOND) * page);
	KEEP();
}

int main(int argc, char **argv)
{
	const int all = FIRST + SECOND + THIRD;

	if (argc > 1 && !strcmp(argv[1], "list")) {
		printf("alpha_ %d main\ngamma_ %d alpha_ main\ndelta_ %d alpha_ main\n", FIRST * CHILDREN,
		       SECOND * CHILDREN, THIRD * CHILDREN);
		return 0;
	}
	page = sysconf(_SC_PAGESIZE);
	memory = mmap(NULL, all * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, all * page, MADV_NOHUGEPAGE); /* a page, a copy */
	memset(memory, 9, all * page);
	for (int i = 0; i < CHILDREN; i++) {
		if (!fork()) {
			alpha_(memory);
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}
