// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Spends known times in known parts of its life, for tree_times.py. Built as a library (-DLIBRARY), whose constructor
 * takes 40 ms of CPU time, and as a program that is linked with it. Times are measured by the kernel's clock of the thread.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void burn(long ms)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000000l + now.tv_nsec - begin.tv_nsec < ms * 1000000);
}

#ifdef LIBRARY

int treetimes_library;

__attribute__((constructor)) static void construct(void)
{
	burn(40);
}

#else

extern int treetimes_library;

static double used(const struct rusage *usage)
{
	return usage->ru_utime.tv_sec + usage->ru_stime.tv_sec +
	       (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static void wait_for(pid_t pid, struct rusage *usage)
{
	if (pid < 0 || wait4(pid, NULL, 0, usage) != pid)
		exit(1);
}

/* A child that takes 20 ms, and is waited for 300 ms after its end. Prints the seconds since its birth. */
static void late(void)
{
	struct timespec begin, end;
	struct rusage usage;
	siginfo_t info;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = fork();

	if (!pid) {
		burn(20);
		_exit(0);
	}
	waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
	usleep(300000);
	wait_for(pid, &usage);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%.9f\n", end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9);
}

static void before_exec(void)
{
	struct rusage usage;
	pid_t pid = fork();

	if (!pid) {
		burn(30);
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	wait_for(pid, &usage);
}

static void *run_thread(void *argument)
{
	burn(30);
	return argument;
}

static void threads(void)
{
	pthread_t list[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&list[i], NULL, run_thread, NULL))
			exit(1);
	for (int i = 0; i < 3; i++)
		pthread_join(list[i], NULL);
}

/* Prints what a child took from exit_group to its end, by the kernel's count. */
static void memory(void)
{
	const size_t size = 200 << 20;
	struct rusage *before = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), all;
	pid_t pid = fork();

	if (!pid) {
		char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (pages == MAP_FAILED || madvise(pages, size, MADV_NOHUGEPAGE))
			_exit(1);
		memset(pages, 1, size);
		getrusage(RUSAGE_SELF, before);
		_exit(0);
	}
	wait_for(pid, &all);
	printf("%.6f\n", used(&all) - used(before));
}

/* Prints the CPU time of a command and its descendants, by the kernel's count. */
static void command(char **argv)
{
	struct rusage usage;
	pid_t pid = fork();

	if (!pid) {
		execvp(argv[0], argv);
		_exit(1);
	}
	wait_for(pid, &usage);
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("%.6f\n", used(&usage));
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	treetimes_library = 1;
	if (!strcmp(what, "work"))
		burn(60);
	else if (!strcmp(what, "late"))
		late();
	else if (!strcmp(what, "before"))
		before_exec();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "memory"))
		memory();
	else if (!strcmp(what, "command"))
		command(argv + 2);
	else
		return 1;
	return 0;
}

#endif
