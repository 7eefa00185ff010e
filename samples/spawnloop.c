/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Creates a process and waits for it, -n times, in one of the ways of probes/spawn_methods.def; a
 * loop program of `forktax bench spawn`.
 *
 *	-n N	processes, one after the other (100)
 *	-m KEY	the way (fork)
 *	-e PATH	what the child executes; all ways need it that execute something
 *	-s PATH	system() by that shell instead of /bin/sh: as libc does it, with another program
 *	-g KIB	first grow the heap until the virtual memory is that large, as ps -o vsz shows it
 *	-u	... and leave the new memory as it is, instead of writing to each of its pages
 *	-H	... and ask for huge pages there
 *	-z	only tell the virtual memory without -g, in KiB
 *	-R	tell on stdout how long it took
 *
 * Where dietlibc differs: it has no posix_spawn (-s then forks), and its vfork() is fork().
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#ifndef __dietlibc__
#include <spawn.h>
#endif

#include "heap.h"
#include "loop.h"
#include "sample.h"

enum { STACK = 64 * 1024, BY_PIDFD = 3, EXITED = 4, COMMAND_MAX = 8192 };
enum { NR_waitid = 247, FLAG_PIDFD = 0x1000 };

extern char **environ;

struct loop {
	long processes;
	const char *path, *shell;
	struct heap heap;
	int telling;
};

static char stack[STACK] __attribute__((aligned(16)));
static char command[COMMAND_MAX]; /* of a shell */

/* Each way returns a negative errno, or what wait says about the child. */
typedef long way_fn(const struct loop *loop);

static long wait_for(long pid)
{
	return pid < 0 ? (errno ? -errno : -1) : raw__wait(pid);
}

/* The same for a system call without libc. */
static long wait_for_raw(long pid)
{
	return pid < 0 ? pid : raw__wait(pid);
}

static void become(const char *path, char *const *argv)
{
	execve(path, argv, environ);
	_exit(127);
}

static void become_target(const struct loop *loop)
{
	char *const argv[] = {(char *)loop->path, NULL};

	become(loop->path, argv);
}

static long way_FORK(const struct loop *loop)
{
	pid_t pid = fork();

	(void)loop;
	if (pid == 0)
		_exit(0);
	return wait_for(pid);
}

static long way_VFORK(const struct loop *loop)
{
	pid_t pid = vfork();

	(void)loop;
	if (pid == 0)
		_exit(0);
	return wait_for(pid);
}

static void leave(void *nothing)
{
	(void)nothing;
	raw__leave(0);
}

static long way_CLONE(const struct loop *loop)
{
	(void)loop;
	return wait_for_raw(raw__start(FLAG_VM | FLAG_VFORK | SIGNAL_CHILD, stack, sizeof(stack),
				       leave, NULL));
}

static long way_PIDFD(const struct loop *loop)
{
	int pidfd = -1, info[32] = {0}; /* a siginfo_t; si_status is its seventh word */
	long pid = raw4(NR_clone, FLAG_VM | FLAG_VFORK | FLAG_PIDFD | SIGNAL_CHILD, 0,
			(long)&pidfd, 0);

	(void)loop;
	if (pid == 0)
		raw__leave(0);
	if (pid < 0)
		return pid;
	pid = raw4(NR_waitid, BY_PIDFD, pidfd, (long)info, EXITED);
	raw(NR_close, pidfd, 0, 0);
	return pid < 0 ? pid : info[6];
}

static long way_FORK_EXEC(const struct loop *loop)
{
	pid_t pid = fork();

	if (pid == 0)
		become_target(loop);
	return wait_for(pid);
}

static long way_VFORK_EXEC(const struct loop *loop)
{
	pid_t pid = vfork();

	if (pid == 0)
		become_target(loop);
	return wait_for(pid);
}

#ifdef __dietlibc__
static long spawn(const char *path, char *const *argv)
{
	pid_t pid = fork();

	if (pid == 0)
		become(path, argv);
	return wait_for(pid);
}

static long way_SPAWN(const struct loop *loop)
{
	(void)loop;
	sample__skip("spawnloop: dietlibc has no posix_spawn\n");
	return -1;
}
#else
static long spawn(const char *path, char *const *argv)
{
	pid_t pid;
	int error = posix_spawn(&pid, path, NULL, NULL, argv, environ);

	return error ? -error : raw__wait(pid);
}

static long way_SPAWN(const struct loop *loop)
{
	char *const argv[] = {(char *)loop->path, NULL};

	return spawn(loop->path, argv);
}
#endif

/* The child shares stack and memory: it does nothing but execve before the parent goes on. */
static long way_CLEAR(const struct loop *loop)
{
	unsigned long arguments[8] = {
		FLAG_VM | FLAG_VFORK | 0x100000000, /* CLONE_CLEAR_SIGHAND */
		[4] = SIGNAL_CHILD,
	};
	long pid = raw(NR_clone3, (long)arguments, sizeof(arguments), 0);

	if (pid == 0)
		become_target(loop);
	return wait_for_raw(pid);
}

/* What system() does, with another shell. */
static long by_shell(const struct loop *loop)
{
	/* Which of its programs busybox is, its argv[0] says; the others do not mind. */
	char *const argv[] = {"sh", "-c", command, NULL};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
	sigset_t child, before;
	long status;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	sigprocmask(SIG_BLOCK, &child, &before);
	status = spawn(loop->shell, argv);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	sigaction(SIGINT, &interrupt, NULL);
	return status;
}

static long way_SYSTEM(const struct loop *loop)
{
#ifdef __dietlibc__
	struct loop like_libc = {.shell = loop->shell ? loop->shell : "/bin/sh"};

	return by_shell(&like_libc); /* the linker warns of each use of its system() */
#else
	int status;

	if (loop->shell)
		return by_shell(loop);
	status = system(command);
	return status < 0 ? -errno : status;
#endif
}

static const struct way {
	const char *key;
	way_fn *create;
	const char *birth;
	int executes;
} ways[] = {
#define METHOD(id, key, name, birth, executes, what) {key, way_##id, birth, executes},
#include "../probes/spawn_methods.def"
#undef METHOD
};

/* PATH in quotes. */
static void make_command(const char *path)
{
	unsigned long length = 0;

	command[length++] = '\'';
	for (; *path; path++) {
		if (length > COMMAND_MAX - 8)
			sample__end(2, "spawnloop: -e: the path is too long\n");
		if (*path == '\'') {
			memcpy(command + length, "'\\''", 4);
			length += 4;
		} else {
			command[length++] = *path;
		}
	}
	command[length] = '\'';
}

static const struct way *parse(struct loop *loop, int argc, char **argv)
{
	const char *key = "fork";
	int option;

	while ((option = getopt(argc, argv, "n:m:e:s:g:uHzR")) != -1) {
		switch (option) {
		case 'n':
			loop->processes = sample__number(optarg);
			break;
		case 'm':
			key = optarg;
			break;
		case 'e':
			loop->path = optarg;
			make_command(optarg);
			break;
		case 's':
			loop->shell = optarg;
			break;
		case 'g':
			loop->heap.size_kib = sample__number(optarg);
			break;
		case 'u':
			loop->heap.untouched = 1;
			break;
		case 'H':
			loop->heap.huge = 1;
			break;
		case 'z':
			loop__put("size_kib", heap__size_kib());
			sample__put("\n");
			exit(write(1, sample_text, sample_length) < 0);
		case 'R':
			loop->telling = 1;
			break;
		default:
			exit(2);
		}
	}
	for (unsigned int i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(ways[i].key, key) == 0 && (loop->path || !ways[i].executes))
			return &ways[i];
	}
	sample__end(2, "spawnloop: -m: no such way, or one that needs -e PATH\n");
	return NULL;
}

static int expect(const struct loop *loop, const struct way *way)
{
	long n = loop->processes;
	/* The ways without libc leave by exit_group, whatever the libc does. */
	int by_libc = way->create == way_FORK || way->create == way_VFORK ||
		      strcmp(LIBC_EXIT, "exit_group") == 0;
	struct expect_calls exec = {"execve", .calls = n + 1, .of_root = 1};
	struct expect_calls leave = {LIBC_EXIT, .calls = by_libc ? n + 1 : 1, .of_root = 1};

	if (strcmp(way->birth, "-") == 0)
		sample__skip("spawnloop: what a shell does is not known here\n");
#ifdef __dietlibc__
	if (way->create == way_SPAWN)
		way_SPAWN(loop);
#endif
	return sample__expect(&(struct expectation){
		.forks = n,
		.execs = way->executes ? n + 1 : 1,
		.calls = {way->executes ? exec : leave},
		.children = {{way->birth, n}},
	});
}

static void complain(const struct way *way, long result)
{
	sample__put("spawnloop: ");
	sample__put(way->key);
	sample__put(": ");
	sample__put(result < 0 ? strerror((int)-result) : "the child failed");
	sample__put("\n");
	if (write(2, sample_text, sample_length) < 0)
		raw__leave(1);
	raw__leave(1);
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	struct loop loop = {.processes = 100};
	const struct way *way = parse(&loop, argc, argv);
	struct loop_clock begin;
	long kib;

	if (expecting)
		return expect(&loop, way);
	if (loop.heap.size_kib)
		heap__grow(&loop.heap);
	kib = heap__size_kib();
	begin = loop__clock();
	for (long n = 0; n < loop.processes; n++) {
		long result = way->create(&loop);

		if (result)
			complain(way, result);
	}
	if (loop.telling)
		loop__tell_more(begin, loop.processes, "vsz_bytes", kib * 1024);
	return 0;
}
