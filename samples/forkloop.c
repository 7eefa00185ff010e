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
 *	-R	tell on stdout, as a loop program of `forktax bench`
 *
 * Where dietlibc differs: it has no posix_spawn, and its vfork() is fork().
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#ifndef __dietlibc__
#include <spawn.h>
#endif

#include "loop.h"
#include "sample.h"

enum { PAGE = 4096, STACK = 64 * 1024 };

extern char **environ;

struct loop {
	long children, pages;
	const char *way, *path;
	int with_exit, timed, telling;
	volatile char *buffer;
};

static char stack[STACK] __attribute__((aligned(16)));

static void touch(const struct loop *loop)
{
	for (long page = 0; page < loop->pages; page++)
		loop->buffer[page * PAGE]++;
}

static void child(const struct loop *loop)
{
	char *const argv[] = {(char *)loop->path, NULL};

	touch(loop);
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

static void parse(struct loop *loop, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "n:m:xt:e:TR")) != -1) {
		switch (option) {
		case 'n':
			loop->children = sample__number(optarg);
			break;
		case 'm':
			loop->way = optarg;
			break;
		case 'x':
			loop->with_exit = 1;
			break;
		case 't':
			loop->pages = sample__number(optarg);
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
		default:
			exit(2);
		}
	}
	if (!strchr("fvcs", loop->way[0]) || (loop->way[0] == 's' && !loop->path))
		sample__end(2, "forkloop: -m fork, vfork, clone or spawn (with -e PATH)\n");
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
	/* What PATH does is not known here, so neither is how its process leaves. */
	struct expect_calls leave = {LIBC_EXIT, .calls = n + 1, .of_root = 1};
	struct expect_calls exec = {"execve", .calls = n + 1, .of_root = 1};

	return sample__expect(&(struct expectation){
		.forks = n,
		.execs = loop->path ? n + 1 : 1,
		.calls = {loop->path ? exec : leave},
		.faults = {{"cow_copy", .min = copies}},
		.children = {{birth(loop), n}},
	});
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
	if (loop.pages) {
		loop.buffer = mmap(NULL, loop.pages * PAGE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (loop.buffer == MAP_FAILED)
			sample__fail("forkloop: not enough memory for -t\n");
		madvise((void *)loop.buffer, loop.pages * PAGE, MADV_NOHUGEPAGE);
	}
	touch(&loop);
	if (loop.timed)
		start = sample__clock();
	if (loop.telling)
		begin = loop__clock();
	for (long n = 0; n < loop.children; n++) {
		long pid = create(&loop);

		if (pid < 0)
			sample__fail("forkloop: cannot create a child\n");
		waitpid(pid, NULL, 0);
	}
	if (loop.timed)
		sample__tell_time(start);
	if (loop.telling)
		loop__tell(begin, loop.children);
	return 0;
}
