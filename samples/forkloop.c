/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fork and wait, -n times; the subject of every figure about the cost of a fork.
 *
 *	-n N	children, one after the other (100)
 *	-m WAY	fork (default), vfork, clone (CLONE_VM) or spawn (posix_spawn, needs -e)
 *	-x	the child leaves with exit() instead of _exit()
 *	-t N	the child writes N pages that the parent has written before (fork and clone)
 *	-e PATH	the child executes PATH
 *	-T	tell on stderr how long the loop took
 *	-b N	the child calls N functions of libc that were not called before, at most 48
 *	-r N	the parent has written N KiB of memory; with -H in huge pages
 *	-v N	the parent has N more mappings, one page each, written
 *	-j N	N threads wait in the parent
 *	-l N	the parent has loaded N copies of the library -L PATH, at most 900
 *	-R	tell on stdout, as a loop program of `forktax bench`
 *
 * Where dietlibc differs: it has no posix_spawn, and its vfork() is fork().
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#ifndef __dietlibc__
#include <spawn.h>
#endif

#include "burden.h"
#include "calls.h"
#include "loop.h"
#include "sample.h"

enum { STACK = 64 * 1024 };

extern char **environ;

struct loop {
	long children, pages, calls;
	long resident, mappings, threads, libraries;
	const char *way, *path, *library;
	int with_exit, timed, telling, huge;
	volatile char *buffer;
};

static char stack[STACK] __attribute__((aligned(16)));

static void touch(const struct loop *loop)
{
	for (long page = 0; page < loop->pages; page++)
		loop->buffer[page * SAMPLE_PAGE]++;
}

static void child(const struct loop *loop)
{
	char *const argv[] = {(char *)loop->path, NULL};

	touch(loop);
	calls__make(loop->calls);
	if (loop->path)
		execve(loop->path, argv, environ);
	if (loop->with_exit)
		exit(0);
	_exit(loop->path ? 127 : 0);
}

static void start(void *loop)
{
	child(loop);
}

static long spawn(const struct loop *loop)
{
#ifdef __dietlibc__
	(void)loop;
	sample__skip("forkloop: dietlibc has no posix_spawn\n");
	return -1;
#else
	char *const argv[] = {(char *)loop->path, NULL};
	pid_t pid;

	return posix_spawn(&pid, loop->path, NULL, NULL, argv, environ) ? -1 : pid;
#endif
}

static long create(struct loop *loop)
{
	long pid;

	switch (loop->way[0]) {
	case 'v':
		pid = vfork();
		break;
	case 'c':
		return raw__start(FLAG_VM | SIGNAL_CHILD, stack, sizeof(stack), start, loop);
	case 's':
		return spawn(loop);
	default:
		pid = fork();
	}
	if (pid == 0)
		child(loop);
	return pid;
}

/* The places that options with a number fill. */
static long *number_of(struct loop *loop, int option)
{
	switch (option) {
	case 'n':
		return &loop->children;
	case 't':
		return &loop->pages;
	case 'b':
		return &loop->calls;
	case 'r':
		return &loop->resident;
	case 'v':
		return &loop->mappings;
	case 'j':
		return &loop->threads;
	default:
		return &loop->libraries; /* 'l' */
	}
}

static void take(struct loop *loop, int option)
{
	switch (option) {
	case 'm':
		loop->way = optarg;
		break;
	case 'x':
		loop->with_exit = 1;
		break;
	case 'e':
		loop->path = optarg;
		break;
	case 'T':
		loop->timed = 1;
		break;
	case 'R':
		loop->telling = 1;
		break;
	case 'H':
		loop->huge = 1;
		break;
	case 'L':
		loop->library = optarg;
		break;
	case '?':
		exit(2);
	default:
		*number_of(loop, option) = sample__number(optarg);
	}
}

static void parse(struct loop *loop, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "n:m:xt:e:TRb:r:Hv:j:l:L:")) != -1)
		take(loop, option);
	if (!strchr("fvcs", loop->way[0]) || (loop->way[0] == 's' && !loop->path))
		sample__end(2, "forkloop: -m fork, vfork, clone or spawn (with -e PATH)\n");
	if (loop->calls > CALLS_MAX || loop->libraries > 900)
		sample__end(2, "forkloop: at most -b 48 and -l 900\n");
}

static const char *birth(const struct loop *loop)
{
	switch (loop->way[0]) {
	case 'v':
		return LIBC_VFORK;
	case 's':
		return "vfork";
	case 'c':
		return "clone";
	default:
		return "fork";
	}
}

static int expect(const struct loop *loop)
{
	long n = loop->children;
	long copies = strcmp(birth(loop), "fork") == 0 ? n * loop->pages : 0;
	/* See the end of main(). */
	long by_libc = !loop->threads || strcmp(LIBC_EXIT, "exit_group") == 0;
	/* What PATH does is not known here, so neither is how its process leaves. */
	struct expect_calls leave = {LIBC_EXIT, .calls = n + by_libc, .of_root = by_libc};
	struct expect_calls exec = {"execve", .calls = n + 1, .of_root = 1};

	return sample__expect(&(struct expectation){
		.forks = n,
		.execs = loop->path ? n + 1 : 1,
		.threads = loop->threads,
		.calls = {loop->path ? exec : leave},
		.faults = {{"cow_copy", .min = copies}},
		.children = {{birth(loop), n}},
	});
}

static void prepare(struct loop *loop)
{
	if (loop->pages) {
		loop->buffer = burden__map(loop->pages * SAMPLE_PAGE,
					   "forkloop: not enough memory for -t\n");
		madvise((void *)loop->buffer, loop->pages * SAMPLE_PAGE, ADVICE_NO_HUGE);
	}
	touch(loop);
	burden__memory(loop->resident, loop->huge);
	burden__mappings(loop->mappings);
	burden__libraries(loop->libraries, loop->library);
	burden__threads(loop->threads);
}

/* Why there is no child: to forktax bench a reason, so it is told in full. */
static void print_error(long error)
{
	if (error == EAGAIN)
		sample__fail("forkloop: cannot create a child: Resource temporarily unavailable "
			     "(a limit of processes: ulimit -u, pids.max of the cgroup)\n");
	sample__fail("forkloop: cannot create a child\n");
}

static void run(struct loop *loop)
{
	for (long n = 0; n < loop->children; n++) {
		long pid = create(loop);

		if (pid < 0)
			print_error(loop->way[0] == 'c' ? -pid : errno);
		waitpid(pid, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	struct loop loop = {.children = 100, .way = "fork"};
	struct sample_clock start;
	struct loop_clock begin;

	parse(&loop, argc, argv);
	if (expecting)
		return expect(&loop);
	prepare(&loop);
	if (loop.timed)
		start = sample__clock();
	if (loop.telling)
		begin = loop__clock();
	run(&loop);
	if (loop.timed)
		sample__tell_time(start);
	if (loop.telling)
		loop__tell(begin, loop.children);
	if (loop.threads)
		raw__leave(0); /* dietlibc would end this one thread only */
	return 0;
}
