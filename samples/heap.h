/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A heap grown until the program is as large as asked for.
 */
#ifndef SAMPLE_HEAP_H
#define SAMPLE_HEAP_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sample.h"

struct heap {
	long size_kib; /* virtual memory of the whole program, as ps -o vsz shows it; 0: as it is */
	int untouched; /* do not write to each new page */
	int huge; /* ask for huge pages */
};

/* The first number of /proc/self/statm are pages of virtual memory. */
static long heap__size_kib(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY);
	long got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1), pages = 0;

	close(fd);
	for (long i = 0; i < got && text[i] >= '0' && text[i] <= '9'; i++)
		pages = pages * 10 + text[i] - '0';
	if (!pages)
		sample__fail("heap: cannot read /proc/self/statm\n");
	return pages * (SAMPLE_PAGE / 1024);
}

/*
 * By malloc: one piece that is a mapping of its own, just as large as is missing. What is less
 * than the least of these (128 KiB), a heap of glibc rounds up; then this ends the sample.
 */
static void heap__grow(const struct heap *heap)
{
	long missing = (heap->size_kib - heap__size_kib()) * 1024 - 64;
	volatile char *memory;
	unsigned long begin, length;

	if (missing < 0)
		sample__fail("heap: the program is larger than that before it has grown\n");
	memory = malloc(missing);
	if (!memory)
		sample__fail("heap: malloc cannot give so much memory\n");
	if (heap__size_kib() > heap->size_kib + heap->size_kib / 50)
		sample__fail("heap: malloc takes more than it was asked for\n");
	begin = ((unsigned long)memory + SAMPLE_PAGE - 1) & ~(SAMPLE_PAGE - 1ul);
	length = missing & ~(SAMPLE_PAGE - 1ul);
	madvise((void *)begin, length, heap->huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	for (long at = 0; !heap->untouched && at < missing; at += SAMPLE_PAGE)
		memory[at] = 1;
}

#endif
