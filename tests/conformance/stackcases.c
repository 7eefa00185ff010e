// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that knows who calls what: each page of `arena` is written to in children by one chain of
 * functions, whose names stand in `cases`. The test builds it in several ways, and holds the call stacks
 * of forktax against what it prints with argument "list": page, kind of the chain, and the names, the innermost
 * first. Functions of libraries in a chain are not named.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "made_code.h"

#define PAGE 4096
#define PAGES 16
#define NOINLINE __attribute__((noinline))
#define KEEP() __asm__ volatile("" ::: "memory") /* no tail call, nothing left out */

char arena[PAGES * PAGE] __attribute__((aligned(PAGE))) = { 1 };
static int page_of_callback;

NOINLINE void touch(int page) { arena[page * PAGE] = 2; KEEP(); }

/* A function without a frame that is called directly. */
NOINLINE void near_caller(int page) { touch(page); KEEP(); }
NOINLINE void far_caller(int page) { near_caller(page); KEEP(); }

/* Through a pointer. */
void (*volatile pointer)(int) = touch;
NOINLINE void by_pointer(int page) { pointer(page); KEEP(); }

/* A function of libc without a frame. */
NOINLINE void fill(int page) { memset(arena + page * PAGE, 3, 64); KEEP(); }

/* A function with a frame, whatever options the compiler gets. */
NOINLINE void with_frame(int page, int size)
{
	char *room = __builtin_alloca(size);

	memset(room, 0, size);
	touch(page);
	__asm__ volatile("" :: "r"(room) : "memory");
}

/* Out of a function of libc that calls back, and saves no frame pointer. */
NOINLINE int compare(const void *left, const void *right)
{
	if (page_of_callback)
		touch(page_of_callback);
	page_of_callback = 0;
	return *(const int *)left - *(const int *)right;
}

NOINLINE void sort(int page)
{
	int numbers[4] = { 3, 1, 2, 0 };

	page_of_callback = page;
	qsort(numbers, 4, sizeof(numbers[0]), compare);
	KEEP();
}

/* Out of a signal handler. */
NOINLINE void on_signal(int signal) { touch(6); KEEP(); (void)signal; }
NOINLINE void by_signal(int page) { raise(SIGUSR1); KEEP(); (void)page; }

/* The kernel writes, for a system call. */
NOINLINE void receive(int page)
{
	int zero = open("/dev/zero", O_RDONLY);

	if (read(zero, arena + page * PAGE, 64) != 64)
		abort();
	close(zero);
	KEEP();
}

/* Deeper than stacks are kept. */
NOINLINE void recurse(int page, int depth)
{
	if (depth)
		recurse(page, depth - 1);
	else
		touch(page);
	KEEP();
}
NOINLINE void deep(int page) { recurse(page, 80); KEEP(); }

/* In another thread. */
NOINLINE void *in_thread(void *page) { touch((int)(long)page); KEEP(); return NULL; }
NOINLINE void by_thread(int page)
{
	pthread_t thread;

	pthread_create(&thread, NULL, in_thread, (void *)(long)page);
	pthread_join(thread, NULL);
}

/* The frame pointer holds something else when the page is written to: an address of code that was never called. */
NOINLINE void misuse(int page)
{
	static void *fake[2] = { NULL, NULL };

	fake[0] = 0;
	fake[1] = (void *)((char *)(void *)far_caller + 3);
#if defined(__aarch64__)
	fake[1] = (void *)((char *)(void *)far_caller + 4);
	__asm__ volatile("mov x9, x29\n\tmov x29, %0\n\tstrb w9, [%1]\n\tmov x29, x9"
			 :: "r"(fake), "r"(arena + page * PAGE) : "x9", "memory");
#elif defined(__i386__)
	__asm__ volatile("push %%ebp\n\tmov %0, %%ebp\n\tmovb $4, (%1)\n\tpop %%ebp"
			 :: "r"(fake), "r"(arena + page * PAGE) : "memory");
#else
	__asm__ volatile("push %%rbp\n\tmov %0, %%rbp\n\tmovb $4, (%1)\n\tpop %%rbp"
			 :: "r"(fake), "r"(arena + page * PAGE) : "memory");
#endif
}

/* A call that is the last instruction of its function: where it would return to, another function begins. */
static jmp_buf leaving;
NOINLINE __attribute__((noreturn)) void touch_and_leave(int page) { touch(page); longjmp(leaving, 1); }
NOINLINE void last_call(int page) { touch_and_leave(page); }
NOINLINE void by_jump(int page)
{
	if (!setjmp(leaving))
		last_call(page);
	KEEP();
}

/* An address to return to, but an old one, is on top of the stack, and the tables say that it is not the one. */
NOINLINE void *own_return(void) { return __builtin_return_address(0); }
NOINLINE void lure(int page)
{
	void *old = own_return();

#if defined(__x86_64__) && defined(__GCC_HAVE_DWARF2_CFI_ASM)
	__asm__ volatile("push %0\n\t.cfi_adjust_cfa_offset 8\n\tmovb $6, (%1)\n\tpop %%rax\n\t"
			 ".cfi_adjust_cfa_offset -8"
			 :: "r"(old), "r"(arena + page * PAGE) : "rax", "memory");
#else
	arena[page * PAGE] = 6;
#endif
	(void)old;
}

/* Code of no file, which the program gives a name. */
#ifdef __x86_64__
static made_code *made;

NOINLINE void by_made(int page) { made(arena + page * PAGE); KEEP(); }
#endif

NOINLINE void work(void)
{
	near_caller(1);
	far_caller(2);
	by_pointer(3);
	fill(4);
	with_frame(5, 100);
	by_signal(6);
	receive(7);
	deep(8);
	sort(9);
	by_thread(10);
	misuse(11);
	by_jump(13);
	lure(14);
#ifdef __x86_64__
	by_made(12);
#endif
	KEEP();
}

static const char cases[] =
	"1 plain touch near_caller work main\n"
	"2 plain touch near_caller far_caller work main\n"
	"3 plain touch by_pointer work main\n"
	"4 plain fill work main\n"
	"5 plain touch with_frame work main\n"
	"6 library touch on_signal by_signal work main\n"
	"7 call receive work main\n"
	"8 deep touch recurse*81 deep work main\n"
	"9 library touch compare sort work main\n"
	"10 thread touch in_thread\n"
#ifdef __x86_64__
	"12 made by_made work main\n"
#endif
	"13 plain touch touch_and_leave last_call by_jump work main\n"
	"14 lure lure work main\n"
	"11 misuse misuse work main\n";

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "list")) {
		fputs(cases, stdout);
		return 0;
	}
#ifdef __x86_64__
	made = make_code();
#endif
	signal(SIGUSR1, on_signal);
	memset(arena, 1, sizeof(arena));
	for (int i = 0; i < 4; i++) {
		if (!fork()) {
			work();
			_exit(0);
		}
		wait(NULL);
	}
	KEEP();
	return 0;
}
