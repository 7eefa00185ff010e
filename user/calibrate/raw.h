/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * System calls without the C library, which a slim process (trials.h) does not have. They return what
 * the kernel returns: negative error numbers.
 */
#ifndef FORKTAX_CALIBRATE_RAW_H
#define FORKTAX_CALIBRATE_RAW_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/arch.h"

static inline long raw__call(long number, long a, long b, long c)
{
	return arch__call(number, a, b, c, 0, 0, 0);
}

static inline void *raw__map_by(void *at, size_t bytes, int flags)
{
	long result = arch__call(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	return result < 0 && result > -4096 ? NULL : (void *)result;
}

/* Private anonymous memory, at an address or (NULL) anywhere; NULL: there is none. */
static inline void *raw__map(void *at, size_t bytes)
{
	return raw__map_by(at, bytes, at ? MAP_FIXED : 0);
}

/* As raw__map(), for few pages far apart: it may be larger than the memory of the machine. */
static inline void *raw__map_sparse(size_t bytes)
{
	return raw__map_by(NULL, bytes, MAP_NORESERVE);
}

static inline void raw__advise(void *start, size_t bytes, int advice)
{
	raw__call(SYS_madvise, (long)start, (long)bytes, advice);
}

/* Of this process. */
static inline long raw__minor_faults(void)
{
	struct rusage usage;

	raw__call(SYS_getrusage, RUSAGE_SELF, (long)&usage, 0);
	return usage.ru_minflt;
}

/* ns, by a clock of clock_gettime(). */
static inline double raw__clock(clockid_t clock)
{
	struct timespec time;

	raw__call(SYS_clock_gettime, clock, (long)&time, 0);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static inline double raw__now(void)
{
	return raw__clock(CLOCK_MONOTONIC);
}

#endif
