// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A pool whose workers copy inherited pages in three ways, each by its own chain of functions; in one the code that
 * writes is made by the program itself, and named in /tmp/perf-PID.map. Built with frame pointers.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "made_code.h"

#define NOINLINE __attribute__((noinline))
#define KEEP() __asm__ volatile("" ::: "memory")

enum { PAGE = 4096, EACH = 40, WORKERS = 3 };
static char *memory;
static made_code *made;

NOINLINE void touch(int page) { memory[page * PAGE] = 2; KEEP(); }

NOINLINE void renew(int first)
{
	for (int i = 0; i < EACH; i++)
		touch(first + i);
	KEEP();
}

NOINLINE void clear(int first)
{
	memset(memory + first * PAGE, 0, EACH * PAGE);
	KEEP();
}

NOINLINE void by_made(int first)
{
	for (int i = 0; i < EACH; i++)
		made(memory + (first + i) * PAGE);
	KEEP();
}

NOINLINE void serve(void)
{
	renew(0);
	clear(EACH);
	by_made(2 * EACH);
	KEEP();
}

int main(void)
{
	memory = aligned_alloc(PAGE, 4 * EACH * PAGE);
	memset(memory, 1, 4 * EACH * PAGE);
	made = make_code();
	for (int i = 0; i < WORKERS; i++) {
		if (!fork()) {
			usleep(300000);
			serve();
			sleep(1);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
