/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Of raw.h what is of x86-64: numbers of calls, how they are made, how a thread begins.
 */
#ifndef SAMPLE_ARCH_X86_64_H
#define SAMPLE_ARCH_X86_64_H

#define SAMPLE_ABI "x86_64" /* as forktax writes it */

/* Calls that libc makes for its functions of these names. */
#define CALL_OF_PAUSE  "pause"
#define CALL_OF_UNLINK "unlink"

/* What the number of getppid with the bit of x32 is, which no kernel of Debian has. */
#define CALL_WITH_X32 "getppid"
#define ABI_WITH_X32  "x32"

/* Of a copy that the kernel makes where it writes a futex (docs/reference/fault-classes.md). */
#define CLASS_OF_FUTEX_COPY "cow_copy"

/* Numbers by our own names: the headers of dietlibc end with the kernel of their day. */
enum {
	NR_read = 0,
	NR_write = 1,
	NR_open = 2,
	NR_close = 3,
	NR_brk = 12,
	NR_rt_sigaction = 13,
	NR_ioctl = 16,
	NR_readv = 19,
	NR_pipe = 22,
	NR_sched_yield = 24,
	NR_madvise = 28,
	NR_dup = 32,
	NR_pause = 34,
	NR_nanosleep = 35,
	NR_getpid = 39,
	NR_clone = 56,
	NR_fork = 57,
	NR_execve = 59,
	NR_exit = 60,
	NR_wait4 = 61,
	NR_kill = 62,
	NR_flock = 73,
	NR_getrusage = 98,
	NR_ptrace = 101,
	NR_getppid = 110,
	NR_getpgrp = 111,
	NR_setsid = 112,
	NR_getpgid = 121,
	NR_getsid = 124,
	NR_sched_setscheduler = 144,
	NR_sched_getscheduler = 145,
	NR_prctl = 157,
	NR_tkill = 200,
	NR_futex = 202,
	NR_sched_setaffinity = 203,
	NR_sched_getaffinity = 204,
	NR_set_tid_address = 218,
	NR_clock_gettime = 228,
	NR_exit_group = 231,
	NR_waitid = 247,
	NR_readlinkat = 267,
	NR_set_robust_list = 273,
	NR_perf_event_open = 298,
	NR_seccomp = 317,
	NR_memfd_create = 319,
	NR_userfaultfd = 323,
	NR_clone3 = 435,
};

static inline long raw4(long nr, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = 0; /* prctl(2) insists on a fifth argument of 0 */
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return result;
}

static inline unsigned long raw__thread_pointer(void)
{
	unsigned long thread;

	__asm__("mov %%fs:0, %0" : "=r"(thread));
	return thread;
}

/* Writes one byte of each page, with a frame pointer that leads to `frame`. */
static inline void raw__touch_without_frame(volatile char *memory, volatile char *end, long page, const char *frame)
{
	long kept;

	__asm__ volatile("mov %%rbp, %[kept]\n\t"
			 "mov %[frame], %%rbp\n"
			 "1:\tmovb $1, (%[memory])\n\t"
			 "add %[page], %[memory]\n\t"
			 "cmp %[end], %[memory]\n\t"
			 "jne 1b\n\t"
			 "mov %[kept], %%rbp"
			 : [memory] "+r"(memory), [kept] "=&r"(kept)
			 : [frame] "r"(frame), [end] "r"(end), [page] "r"(page)
			 : "memory", "cc");
}

/* To read. */
static inline long raw__open(const char *path)
{
	return raw4(NR_open, (long)path, 0, 0, 0);
}

static inline long raw__pipe(int *ends)
{
	return raw4(NR_pipe, (long)ends, 0, 0, 0);
}

/* Waits for a signal. */
static inline long raw__pause(void)
{
	return raw4(NR_pause, 0, 0, 0, 0);
}

/*
 * A thread or process that shares the memory and starts in `entry` on its own stack. It ends
 * with exit(2), alone, when entry returns.
 */
static inline long raw__start(unsigned long flags, char *stack, unsigned long size,
			      void (*entry)(void *), void *argument)
{
	void **top = (void **)(((unsigned long)stack + size) & ~15ul) - 2;
	long result;

	top[0] = (void *)entry;
	top[1] = argument;
	__asm__ volatile("xorl %%edx, %%edx\n\t"
			 "xorl %%r10d, %%r10d\n\t"
			 "xorl %%r8d, %%r8d\n\t"
			 "syscall\n\t"
			 "testq %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xorl %%ebp, %%ebp\n\t"
			 "popq %%rax\n\t"
			 "popq %%rdi\n\t"
			 "call *%%rax\n\t"
			 "xorl %%edi, %%edi\n\t"
			 "movl $60, %%eax\n\t"
			 "syscall\n\t"
			 "hlt\n"
			 "1:"
			 : "=a"(result)
			 : "a"(NR_clone), "D"(flags), "S"(top)
			 : "rcx", "rdx", "r8", "r10", "r11", "memory");
	return result;
}

/* Of a traced child that has stopped: the number of the call that it enters; -1 if it enters none. */
static inline long raw__entered(long pid)
{
	enum { PEEKUSER = 3, RAX = 10 * 8, ORIG_RAX = 15 * 8, NO_SUCH_CALL = -38 };
	long number = -1, result = 0;

	raw4(NR_ptrace, PEEKUSER, pid, ORIG_RAX, (long)&number);
	/* Until the call returns, -ENOSYS is where the result will be. */
	raw4(NR_ptrace, PEEKUSER, pid, RAX, (long)&result);
	return result == NO_SUCH_CALL ? number : -1;
}

/* It enters call number -1 instead, which comes to nothing: an error. */
static inline void raw__skip_call(long pid)
{
	enum { POKEUSER = 6, ORIG_RAX = 15 * 8 };

	raw4(NR_ptrace, POKEUSER, pid, ORIG_RAX, -1);
}

#define SKIPPED_CALLS_FAIL 1

#define SAMPLE_PAGE	 4096l
#define SAMPLE_PAGE_MOST 4096

#endif
