/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Of raw.h what is of arm64: numbers of calls, how they are made, how a thread begins.
 */
#ifndef SAMPLE_ARCH_AARCH64_H
#define SAMPLE_ARCH_AARCH64_H

#define SAMPLE_ABI "aarch64" /* as forktax writes it */

/* Calls that libc makes for its functions of these names. */
#define CALL_OF_PAUSE  "ppoll"
#define CALL_OF_UNLINK "unlinkat"

/* What the number of getppid with the bit of x32 is, which no kernel of Debian has. */
#define CALL_WITH_X32 "unknown(1073741997)"
#define ABI_WITH_X32  SAMPLE_ABI

/* Of a copy that the kernel makes where it writes a futex (docs/reference/fault-classes.md). */
#define CLASS_OF_FUTEX_COPY "unattributed"

/*
 * Numbers by our own names: the headers of dietlibc end with the kernel of their day. There is no open,
 * pipe, fork, pause or getpgrp.
 */
enum {
	NR_dup = 23,
	NR_ioctl = 29,
	NR_flock = 32,
	NR_openat = 56,
	NR_close = 57,
	NR_pipe2 = 59,
	NR_read = 63,
	NR_write = 64,
	NR_readv = 65,
	NR_ppoll = 73,
	NR_readlinkat = 78,
	NR_exit = 93,
	NR_exit_group = 94,
	NR_waitid = 95,
	NR_set_tid_address = 96,
	NR_futex = 98,
	NR_set_robust_list = 99,
	NR_nanosleep = 101,
	NR_clock_gettime = 113,
	NR_ptrace = 117,
	NR_sched_setscheduler = 119,
	NR_sched_getscheduler = 120,
	NR_sched_setaffinity = 122,
	NR_sched_getaffinity = 123,
	NR_sched_yield = 124,
	NR_kill = 129,
	NR_tkill = 130,
	NR_rt_sigaction = 134,
	NR_getpgid = 155,
	NR_getsid = 156,
	NR_setsid = 157,
	NR_getrusage = 165,
	NR_prctl = 167,
	NR_getpid = 172,
	NR_getppid = 173,
	NR_brk = 214,
	NR_clone = 220,
	NR_execve = 221,
	NR_madvise = 233,
	NR_perf_event_open = 241,
	NR_wait4 = 260,
	NR_seccomp = 277,
	NR_memfd_create = 279,
	NR_userfaultfd = 282,
	NR_clone3 = 435,
};

static inline long raw4(long nr, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = 0; /* prctl(2) insists on a fifth argument of 0 */

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory", "cc");
	return x0;
}

static inline unsigned long raw__thread_pointer(void)
{
	unsigned long thread;

	__asm__("mrs %0, tpidr_el0" : "=r"(thread));
	return thread;
}

/* Writes one byte of each page, with a frame pointer that leads to `frame`. */
static inline void raw__touch_without_frame(volatile char *memory, volatile char *end, long page, const char *frame)
{
	long kept;

	__asm__ volatile("mov %[kept], x29\n\t"
			 "mov x29, %[frame]\n"
			 "1:\tstrb wzr, [%[memory]]\n\t"
			 "add %[memory], %[memory], %[page]\n\t"
			 "cmp %[memory], %[end]\n\t"
			 "b.ne 1b\n\t"
			 "mov x29, %[kept]"
			 : [memory] "+r"(memory), [kept] "=&r"(kept)
			 : [frame] "r"(frame), [end] "r"(end), [page] "r"(page)
			 : "memory", "cc");
}

/* To read. */
static inline long raw__open(const char *path)
{
	return raw4(NR_openat, -100, (long)path, 0, 0);
}

static inline long raw__pipe(int *ends)
{
	return raw4(NR_pipe2, (long)ends, 0, 0, 0);
}

/* Waits for a signal, as libc does it here: by ppoll(2). */
static inline long raw__pause(void)
{
	return raw4(NR_ppoll, 0, 0, 0, 0);
}

/*
 * A thread or process that shares the memory and starts in `entry` on its own stack. It ends
 * with exit(2), alone, when entry returns.
 */
static inline long raw__start(unsigned long flags, char *stack, unsigned long size,
			      void (*entry)(void *), void *argument)
{
	void **top = (void **)(((unsigned long)stack + size) & ~15ul) - 2;
	register long x8 __asm__("x8") = NR_clone;
	register long x0 __asm__("x0") = (long)flags;
	register long x1 __asm__("x1") = (long)top;
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = 0;

	top[0] = (void *)entry;
	top[1] = argument;
	__asm__ volatile("svc #0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x29, #0\n\t"
			 "mov x30, #0\n\t"
			 "ldp x9, x0, [sp], #16\n\t"
			 "blr x9\n\t"
			 "mov x0, #0\n\t"
			 "mov x8, #93\n\t"
			 "svc #0\n\t"
			 "brk #0\n"
			 "1:"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "x9", "memory", "cc");
	return x0;
}

/* Of a traced child that has stopped: the number of the call that it enters; -1 if it enters none. */
static inline long raw__entered(long pid)
{
	enum { GETREGSET = 0x4204, GENERAL = 1 };
	unsigned long registers[34] = {0};
	struct {
		void *base;
		unsigned long bytes;
	} room = {registers, sizeof(registers)};

	raw4(NR_ptrace, GETREGSET, pid, GENERAL, (long)&room);
	return registers[7] ? -1 : (long)registers[8]; /* the kernel shows 0 in x7 at an entry, 1 at an exit */
}

/* It enters call number -1 instead, which comes to nothing: its first argument stays where the result is. */
static inline void raw__skip_call(long pid)
{
	enum { SETREGSET = 0x4205, SYSTEM_CALL = 0x404 };
	int number = -1;
	struct {
		void *base;
		unsigned long bytes;
	} room = {&number, sizeof(number)};

	raw4(NR_ptrace, SETREGSET, pid, SYSTEM_CALL, (long)&room);
}

#define SKIPPED_CALLS_FAIL 0

/* The kernel is built for pages of one size; and what has room for the largest ones. */
#define SAMPLE_PAGE	 ((long)getpagesize())
#define SAMPLE_PAGE_MOST 65536

#endif
