// SPDX-License-Identifier: GPL-2.0-or-later
#include "calibrate/trials.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/maps.h"

enum { MAPS_MOST = 4096 };

static bool holds(const struct mapping *range, const void *address)
{
	return (uintptr_t)address >= range->start && (uintptr_t)address < range->end;
}

/* All are read before any is marked: reading allocates, which changes the list. Their names stay NULL but "[v". */
static size_t read_ranges(struct mapping *ranges)
{
	struct maps maps = { .file = fopen("/proc/self/maps", "re") };
	size_t count = 0;

	while (count < MAPS_MOST && maps__next(&maps, &ranges[count])) {
		/* [vdso], [vvar], [vsyscall] */
		ranges[count].name = strncmp(ranges[count].name, "[v", 2) ? NULL : "[v";
		count++;
	}
	maps__close(&maps);
	return count;
}

/* The kernel writes to the registered area in every child, which the smallest fork does without. */
static void leave_rseq(void)
{
	char *area = (char *)__builtin_thread_pointer() + __rseq_offset;

	if (__rseq_size) /* the size in use may be less than the registered one */
		for (unsigned int size = 32; size <= 256; size += 32)
			if (!syscall(SYS_rseq, area, size, RSEQ_FLAG_UNREGISTER, RSEQ_SIG))
				return;
}

/* A sanitizer has shadow memory everywhere: nothing can be left out. */
#ifdef __SANITIZE_ADDRESS__
static const bool may_leave_out = false;
#else
static const bool may_leave_out = true;
#endif

static void leave_out(unsigned long start, unsigned long end)
{
	if (start < end)
		madvise((void *)start, end - start, MADV_DONTFORK);
}

/*
 * forktax has written to many pages of its own executable, above all to those with relocated pointers. A small
 * program has one such page in each mapping, so children get one.
 */
static void leave_all_but(const struct mapping *range, const void *needed, size_t bytes)
{
	const unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
	unsigned long first = range->start, end = first + page;

	if (holds(range, needed)) {
		first = (uintptr_t)needed / page * page;
		end = ((uintptr_t)needed + bytes + page - 1) / page * page;
	}
	leave_out(range->start, first);
	leave_out(end, range->end);
}

bool slim__down(const void *needed, size_t bytes)
{
	static struct mapping ranges[MAPS_MOST];
	size_t count = read_ranges(ranges);
	unsigned long inode = 0, bss = 0;

	for (size_t i = 0; i < count; i++)
		if (holds(&ranges[i], (void *)slim__down))
			inode = ranges[i].ino;
	for (size_t i = 0; may_leave_out && i < count; i++) {
		const struct mapping *range = &ranges[i];
		bool ours = range->ino ? range->ino == inode : range->start == bss;

		bss = ours ? range->end : bss;
		if (range->name || range->shared || holds(range, &count) || holds(range, __builtin_thread_pointer()))
			continue;
		if (!ours)
			leave_out(range->start, range->end);
		else if (range->write || holds(range, needed))
			leave_all_but(range, needed, bytes);
	}
	leave_rseq();
	return inode;
}
