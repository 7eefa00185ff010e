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

#ifndef __x86_64__
#error "user/calibrate/raw.h: only x86-64 so far"
#endif

static inline long raw__call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline long raw__call(long number, long a, long b, long c)
{
	return raw__call6(number, a, b, c, 0, 0, 0);
}

/*
 * fork or vfork, by number. The child ends at once without using the stack, which a child of vfork
 * shares.
 */
static inline long raw__fork_exit(long number)
{
	long result;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "mov %[leave], %%eax\n\t"
			 "xor %%edi, %%edi\n\t"
			 "syscall\n"
			 "1:"
			 : "=a"(result)
			 : "a"(number), [leave] "i"(SYS_exit_group)
			 : "rcx", "rdi", "r11", "memory", "cc");
	return result;
}

/* Private anonymous memory, at an address or (NULL) anywhere; NULL: there is none. */
static inline void *raw__map(void *at, size_t bytes)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0);
	long result = raw__call6(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE, flags, -1, 0);

	return result < 0 && result > -4096 ? NULL : (void *)result;
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
