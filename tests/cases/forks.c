// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that forks children that do next to nothing, and what makes that slow.
 * usage: forks KIND AMOUNT FORKS [cured]
 *	descriptors: AMOUNT of them are open (cured: a helper that was started before them forks)
 *	memory: AMOUNT MiB are written (cured: in huge pages)
 *	spawn: the same, and children execute true (cured: vfork())
 *	pinned: so much is registered with io_uring (cured: it is kept out of children); ends with 77 where nobody may
 *	handlers: AMOUNT MiB are written again in each child by a handler of pthread_atfork() (cured: there is none)
 *	shared: each child reads AMOUNT MiB of shared memory (cured: one child does it FORKS times)
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static size_t amount;
static int forks, cured;
static volatile char *memory;

static void open_files(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	for (size_t i = 0; i < amount; i++)
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			exit(77);
}

static void map(size_t bytes, int flags)
{
	const size_t huge = 2 << 20;
	char *area = mmap(NULL, bytes + huge, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		exit(1);
	memory = area + -(size_t)area % huge;
}

static void fill(size_t bytes, int advice)
{
	map(bytes, MAP_PRIVATE);
	madvise((void *)memory, bytes, advice);
	memset((void *)memory, 1, bytes);
}

static void pin(size_t bytes)
{
	struct io_uring_params parameters = { 0 };
	struct iovec area = { .iov_len = bytes };
	int ring = (int)syscall(__NR_io_uring_setup, 8, &parameters);

	fill(bytes, MADV_NOHUGEPAGE);
	area.iov_base = (void *)memory;
	if (ring < 0 || syscall(__NR_io_uring_register, ring, IORING_REGISTER_BUFFERS, &area, 1))
		exit(77);
	if (cured)
		madvise((void *)memory, bytes, MADV_DONTFORK);
}

static void read_all(size_t bytes)
{
	for (size_t i = 0; memory && i < bytes; i += PAGE)
		(void)memory[i];
}

static void spawn_all(void)
{
	for (int i = 0; i < forks; i++) {
		if (!(cured ? vfork() : fork())) {
			execl("/bin/true", "true", NULL);
			_exit(1);
		}
		wait(NULL);
	}
}

static void fork_all(size_t bytes)
{
	for (int i = 0; i < forks; i++) {
		if (!fork()) {
			read_all(bytes);
			_exit(0);
		}
		wait(NULL);
	}
}

void allocator_child(void)
{
	for (size_t i = 0; i < amount << 20; i += PAGE)
		memory[i] = 2;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 3 ? argv[1] : "";
	const size_t bytes = argc > 3 ? (size_t)atoi(argv[2]) << 20 : 0;

	if (argc < 4)
		return 2;
	amount = (size_t)atoi(argv[2]);
	forks = atoi(argv[3]);
	cured = argc > 4;
	if (!strcmp(kind, "descriptors")) {
		int pipes[2], done = pipe(pipes);
		char word;

		if (cured && !done && !fork()) {
			close(pipes[1]);
			done = (int)read(pipes[0], &word, 1);
			fork_all(0);
			_exit(done);
		}
		close(pipes[0]);
		open_files();
		close(pipes[1]);
		if (!cured)
			fork_all(0);
		wait(NULL);
	} else if (!strcmp(kind, "memory")) {
		fill(bytes, cured ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
		fork_all(0);
	} else if (!strcmp(kind, "spawn")) {
		fill(bytes, MADV_NOHUGEPAGE);
		spawn_all();
	} else if (!strcmp(kind, "handlers")) {
		fill(bytes, MADV_NOHUGEPAGE);
		if (!cured)
			pthread_atfork(NULL, NULL, allocator_child);
		fork_all(0);
	} else if (!strcmp(kind, "pinned")) {
		pin(bytes);
		fork_all(0);
	} else {
		map(bytes, MAP_SHARED);
		memset((void *)memory, 1, bytes);
		if (!cured) {
			fork_all(bytes);
		} else if (!fork()) {
			for (int i = 0; i < forks; i++)
				read_all(bytes);
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}
