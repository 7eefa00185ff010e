// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Uses files in ways that files.py knows the answer to. In the current directory, which is empty:
 * every case has names of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[4096];

/* glibc's open() would be openat(), too; this one says what it does. */
static int open_at(int directory, const char *path, int flags)
{
	return syscall(SYS_openat, directory, path, flags, 0600);
}

static void make(const char *path, int size)
{
	int fd = open_at(AT_FDCWD, path, O_CREAT | O_WRONLY);

	if (write(fd, bytes, size) != size)
		exit(1);
	close(fd);
}

/* Relative to the working directory, to another one after chdir and fchdir, and to a descriptor. */
static void relative(void)
{
	int top = open_at(AT_FDCWD, ".", O_RDONLY | O_DIRECTORY), fd;

	mkdir("inner", 0700);
	make("inner/by-name", 100);
	if (chdir("inner"))
		exit(1);
	fd = open_at(AT_FDCWD, "./by-name", O_RDONLY);
	if (read(fd, bytes, 40) != 40)
		exit(1);
	close(fd);
	if (fchdir(top))
		exit(1);
	fd = open_at(AT_FDCWD, "inner", O_RDONLY | O_DIRECTORY);
	close(open_at(fd, "by-name", O_RDONLY));
	open_at(fd, "missing", O_RDONLY);
	close(fd);
	close(top);
}

/* One file by a descriptor, its duplicates, and that of a child that shares the table. */
static void duplicates(void)
{
	int fd, other, status;

	make("duplicated", 4096);
	fd = open_at(AT_FDCWD, "duplicated", O_RDONLY);
	other = dup(fd);
	if (read(other, bytes, 1000) != 1000 || dup2(fd, 77) != 77 || read(77, bytes, 500) != 500)
		exit(1);
	close(fd);
	close(other);
	fd = fcntl(77, F_DUPFD_CLOEXEC, 80);
	if (read(fd, bytes, 7) != 7)
		exit(1);
	close(77);
	close(fd);
	if (!syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0)) {
		make("shared", 300);
		if (dup2(open_at(AT_FDCWD, "shared", O_RDONLY), 90) != 90)
			_exit(1);
		_exit(0);
	}
	wait(&status);
	if (read(90, bytes, 300) != 300)
		exit(1);
	close(90);
}

/* After an execve, 60 is still open, and 61 is not. */
static void across_exec(const char *self)
{
	make("kept", 200);
	if (dup2(open_at(AT_FDCWD, "kept", O_RDONLY), 60) != 60 ||
	    dup3(60, 61, O_CLOEXEC) != 61)
		exit(1);
	if (!fork()) {
		execl(self, self, "reader", NULL);
		_exit(1);
	}
	wait(NULL);
	close(60);
	close(61);
}

static int read_after_exec(void)
{
	char byte;

	if (read(60, bytes, 50) != 50 || read(61, &byte, 1) != -1 || errno != EBADF)
		return 1;
	return 0;
}

static void changes(void)
{
	make("before", 10);
	if (rename("before", "after") || unlink("after"))
		exit(1);
	unlink("never-there");
}

/* Escapes, a newline, what is no UTF-8, and a name of two lines that looks like a row. */
static void hostile(void)
{
	make("esc\033[31mred", 1);
	make("line\nbreak", 1);
	make("not\xffutf8", 1);
	make("tab\there,\"quoted\"", 1);
}

/* Path longer than any may be; one that is just long; addresses where nothing is. */
static void errors(void)
{
	static char path[6000];
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct stat found;

	memset(path, 'x', sizeof(path) - 1);
	open_at(AT_FDCWD, path, O_RDONLY);
	for (size_t i = 0; i < 1000; i += 2)
		memcpy(path + i, "./", 2);
	strcpy(path + 1000, "long-way");
	open_at(AT_FDCWD, path, O_RDONLY);
	open_at(AT_FDCWD, page, O_RDONLY);
	open_at(AT_FDCWD, NULL, O_RDONLY);
	open_at(AT_FDCWD, "", O_RDONLY);
	open_at(555, "no-directory", O_RDONLY);
	syscall(SYS_newfstatat, AT_FDCWD, "stat-missing", &found, 0);
}

static void searches(void)
{
	static const char *const paths[] = { "a/wanted", "b/wanted", "c/wanted", "d/wanted" };
	struct stat found;

	mkdir("d", 0700);
	make("d/wanted", 1);
	for (int i = 0; i < 4; i++)
		syscall(SYS_newfstatat, AT_FDCWD, paths[i], &found, 0);
	for (int i = 0; i < 3; i++) /* again and again the same: no search */
		syscall(SYS_newfstatat, AT_FDCWD, "polled", &found, 0);
	syscall(SYS_newfstatat, AT_FDCWD, "a/nowhere", &found, 0);
	syscall(SYS_newfstatat, AT_FDCWD, "b/nowhere", &found, 0);
	syscall(SYS_newfstatat, AT_FDCWD, "d", &found, 0);
}

static void pipes(void)
{
	int ends[2];

	if (pipe(ends) || write(ends[1], bytes, 123) != 123 || read(ends[0], bytes, 200) != 123)
		exit(1);
	close(ends[0]);
	close(ends[1]);
}

static void map(void)
{
	int fd;

	make("mapped", 4096);
	fd = open_at(AT_FDCWD, "mapped", O_RDONLY);
	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	close(fd);
}

#ifdef __x86_64__
/* A call of the 32-bit convention, whose arguments are in other registers; SIGSEGV without it. */
static int call_32(int nr, const char *path, int flags)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long result;

	strcpy(low, path);
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(nr), "b"(low), "c"(flags), "d"(0600)
			 : "memory", "r8", "r9", "r10", "r11");
	return result;
}

static int use_32(void)
{
	int fd = call_32(5, "by-int80", O_CREAT | O_RDWR); /* open */

	if (fd < 0 || write(fd, bytes, 9) != 9)
		return 1;
	return call_32(5, "missing-int80", 0) != -ENOENT;
}
#else
/* A 64-bit program of other machines cannot make 32-bit calls. */
static int use_32(void)
{
	return 77;
}
#endif

enum { RACERS = 4, SLOW = 3, ROUNDS = 1000 };

/* Opens, reads, copies and closes its own file: the numbers go from thread to thread. */
static void *race_one(void *argument)
{
	intptr_t racer = (intptr_t)argument;
	char name[] = "race-0", own[64];

	name[5] += racer;
	for (int i = 0; i < ROUNDS; i++) {
		int fd = open_at(AT_FDCWD, name, O_RDONLY), other = dup(fd);

		if (read(fd, own, 10 + racer) != 10 + racer)
			exit(1);
		close(fd);
		if (read(other, own, 1) != 1 || dup2(other, 100 + racer) != 100 + racer)
			exit(1);
		close(other);
		if (read(100 + racer, own, 1) != 1)
			exit(1);
	}
	return NULL;
}

/* Its number is free at once, but close(2) does not return before all of its pages are. */
static void *close_slowly(void *argument)
{
	for (int i = 0; i < 150; i++) {
		int fd = memfd_create("slow", 0);

		if (fallocate(fd, 0, 0, 8 << 20))
			exit(1);
		close(fd);
	}
	return NULL;
}

/* What each file was read is known: ROUNDS times 12 bytes, and its number more. */
static int race(void)
{
	pthread_t threads[RACERS + SLOW];
	char name[] = "race-0";

	for (int i = 0; i < RACERS; i++, name[5]++)
		make(name, 4096);
	for (intptr_t i = 0; i < RACERS; i++)
		pthread_create(&threads[i], NULL, race_one, (void *)i);
	for (int i = 0; i < SLOW; i++)
		pthread_create(&threads[RACERS + i], NULL, close_slowly, NULL);
	for (int i = 0; i < RACERS + SLOW; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "race"))
		return race();
	if (argc > 1)
		return strcmp(argv[1], "reader") ? use_32() : read_after_exec();
	relative();
	duplicates();
	across_exec(argv[0]);
	changes();
	hostile();
	errors();
	searches();
	pipes();
	map();
	return 0;
}
