// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies of a known number by two functions: each of CHILDREN children writes to so many pages that it shares with the
 * parent. Built so that each function has a frame. copies CHILDREN FIRST SECOND; says "done", and stays until its stdin ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static volatile char *memory;

__attribute__((noinline)) void write_first(long pages)
{
	for (long i = 0; i < pages; i++)
		memory[i * PAGE] = 1;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) void write_second(long from, long pages)
{
	for (long i = from; i < from + pages; i++)
		memory[i * PAGE] = 2;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) int work(long first, long second)
{
	write_first(first);
	write_second(first, second);
	return memory[0] == 1;
}

int main(int argc, char **argv)
{
	const long children = argc > 3 ? atol(argv[1]) : 0;
	const long first = argc > 3 ? atol(argv[2]) : 0, second = argc > 3 ? atol(argv[3]) : 0;
	const long size = (first + second + 1) * PAGE;

	if (first < 1 || second < 1) {
		fprintf(stderr, "usage: copies CHILDREN FIRST SECOND\n");
		return 2;
	}
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || madvise((void *)memory, size, MADV_NOHUGEPAGE))
		return 1;
	for (long i = 0; i < first + second; i++)
		memory[i * PAGE] = 3;
	for (long i = 0; i < children; i++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(!work(first, second));
		if (child < 0 || waitpid(child, &status, 0) != child || status)
			return 1;
	}
	puts("done");
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
