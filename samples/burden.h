/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a parent may have to carry through every fork: memory, mappings, threads, libraries.
 */
#ifndef SAMPLE_BURDEN_H
#define SAMPLE_BURDEN_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifndef SAMPLE_STATIC
#include <dlfcn.h>
#endif
#ifndef __dietlibc__
#include <pthread.h>
#endif

#include "sample.h"

enum { BURDEN_PAGE = 4096 };
/* By number: not every libc's headers know them. */
enum { ADVICE_HUGE = 14, ADVICE_NO_HUGE = 15, ADVICE_NO_DUMP = 16 };

static void *burden__map(unsigned long size, const char *complaint)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		sample__fail(complaint);
	return memory;
}

/* So many KiB, every page written; NULL: none. */
static volatile char *burden__memory(long kib, int huge)
{
	unsigned long size = (unsigned long)kib * 1024;
	volatile char *memory;

	if (!kib)
		return NULL;
	memory = burden__map(size, "forkloop: not enough memory for -r\n");
	if (madvise((void *)memory, size, huge ? ADVICE_HUGE : ADVICE_NO_HUGE) != 0 && huge)
		sample__fail("forkloop: -H: this kernel has no transparent huge pages\n");
	for (unsigned long at = 0; at < size; at += BURDEN_PAGE)
		memory[at] = 1;
	return memory;
}

/* So many mappings with one written page each; every other one differs, or they would be merged. */
static void burden__mappings(long count)
{
	for (long i = 0; i < count; i++) {
		volatile char *page = burden__map(BURDEN_PAGE, "forkloop: no more mappings for -v "
							       "(vm.max_map_count)\n");

		*page = 1;
		if (i % 2 && madvise((void *)page, BURDEN_PAGE, ADVICE_NO_DUMP) != 0)
			sample__fail("forkloop: no more mappings for -v (vm.max_map_count)\n");
	}
}

static volatile long burden_waiting; /* threads that have begun to wait */

static void burden__wait(void *nothing)
{
	(void)nothing;
	__sync_fetch_and_add(&burden_waiting, 1);
	for (;;)
		raw__pause();
}

#ifdef __dietlibc__ /* its threads are another library: these it does not know of */
static int burden__thread(void)
{
	enum { STACK = 16 * 1024 };
	char *stack = burden__map(STACK, "forkloop: not enough memory for -j\n");

	return raw__start(FLAG_A_THREAD, stack, STACK, burden__wait, NULL) < 0;
}
#else
static void *burden__start(void *nothing)
{
	burden__wait(nothing);
	return NULL;
}

static int burden__thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, burden__start, NULL);
}
#endif

static void burden__threads(long count)
{
	for (long i = 0; i < count; i++) {
		if (burden__thread())
			sample__fail("forkloop: cannot create a thread for -j (limits of processes "
				     "or memory)\n");
	}
	while (burden_waiting < count)
		raw(NR_sched_yield, 0, 0, 0);
}

#ifdef SAMPLE_STATIC
static void burden__libraries(long count, const char *path)
{
	(void)path;
	if (count)
		sample__fail("forkloop: -l: a static program loads no libraries\n");
}
#else
/* A copy of the file in memory: ld.so loads a file once only, and knows it by its inode. */
static int burden__copy(const char *path)
{
	char buffer[BURDEN_PAGE];
	int from = open(path, O_RDONLY), to = (int)raw(NR_memfd_create, (long)"extra", 1, 0);
	long got = from < 0 || to < 0 ? -1 : 1;

	while (got > 0) {
		got = read(from, buffer, sizeof(buffer));
		if (got > 0 && write(to, buffer, got) != got)
			got = -1;
	}
	close(from);
	if (got < 0)
		sample__fail("forkloop: -l: cannot copy the library of -L\n");
	return to;
}

/* The name is what ld.so knows it by as well: another descriptor for each. */
static void burden__library(const char *path, int descriptor)
{
	char name[] = "/proc/self/fd/000";
	int copy = burden__copy(path), at = dup2(copy, descriptor);

	for (int digit = 0, rest = descriptor; digit < 3; digit++, rest /= 10)
		name[sizeof(name) - 2 - digit] = (char)('0' + rest % 10);
	if (at < 0 || !dlopen(name, RTLD_LAZY | RTLD_LOCAL))
		sample__fail("forkloop: -l: cannot load the library of -L\n");
	close(at);
	close(copy);
}

static void burden__libraries(long count, const char *path)
{
	enum { FIRST = 100 }; /* three digits, none of them a leading 0 */

	if (!count)
		return;
	if (!path)
		sample__fail("forkloop: -l needs -L\n");
	for (long i = 0; i < count; i++)
		burden__library(path, FIRST + (int)i);
}
#endif

#endif
