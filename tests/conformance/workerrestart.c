/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool under a steady load: each worker writes to random pages of what it has inherited, so many a
 * second, as if it served requests.
 *
 *	workerrestart WORKERS PAGES WRITES PERIOD [PAUSE [FILE]]
 *
 * PERIOD, in ms: each worker ends at that age and is forked again, one after the other; 0: never. SIGHUP: all of them
 * are, at once. PAUSE, in ms: how long workers do nothing at first. Nor do they before there is such a FILE. Prints its pid when all
 * are forked, and ends with its stdin.
 */
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "die_with.h"

enum { PAGE = 4096, STEP_MS = 10, WORKERS_MOST = 16 };

static pid_t master;
static char *memory;
static const char *file; /* NULL: none is waited for */
static volatile sig_atomic_t hung_up;
static unsigned int pages, writes;

static double now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/* Behind its time it catches up: the rate does not depend on how busy the machine is. */
static void work(unsigned int pause)
{
	uint64_t random = now_ms() * 1e3 + getpid();
	double begin, done = 0;

	die_with(master);
	usleep(1000 * pause);
	while (file && access(file, F_OK))
		usleep(1000);
	begin = now_ms();
	for (;;) {
		for (; done < (now_ms() - begin) * writes / 1e3; done++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			memory[(random >> 33) % pages * PAGE]++;
		}
		usleep(1000 * STEP_MS);
	}
}

static pid_t start(unsigned int pause)
{
	pid_t pid = fork();

	if (!pid)
		work(pause);
	return pid;
}

static void on_hangup(int signal)
{
	hung_up = 1;
}

/* True: stdin has ended. */
static int pause_for(double ms)
{
	struct pollfd in = { .fd = 0, .events = POLLIN };

	return poll(&in, 1, ms > 0 ? (int)ms + 1 : 0) > 0;
}

static void renew(pid_t *pid)
{
	kill(*pid, SIGKILL);
	waitpid(*pid, NULL, 0);
	*pid = start(0);
}

int main(int argc, char **argv)
{
	unsigned int workers = argc > 4 ? atoi(argv[1]) : 0, period = argc > 4 ? atoi(argv[4]) : 0;
	unsigned int pause = argc > 5 ? atoi(argv[5]) : 0, next = 0;
	pid_t pids[WORKERS_MOST];
	double due;

	if (!workers || workers > WORKERS_MOST)
		return 2;
	master = getpid();
	file = argc > 6 ? argv[6] : NULL;
	signal(SIGHUP, on_hangup);
	pages = atoi(argv[2]);
	writes = atoi(argv[3]);
	memory = mmap(NULL, pages * (size_t)PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(memory, pages * (size_t)PAGE, MADV_NOHUGEPAGE);
	for (unsigned int i = 0; i < pages; i++)
		memset(memory + i * (size_t)PAGE, i, PAGE);
	for (unsigned int i = 0; i < workers; i++)
		pids[i] = start(pause);
	printf("%d\n", (int)getpid());
	fflush(stdout);
	due = now_ms();
	while (!pause_for(period ? (due += (double)period / workers) - now_ms() : 1e9)) {
		for (unsigned int i = 0; hung_up && i < workers; i++)
			renew(&pids[i]);
		if (!hung_up)
			renew(&pids[next]);
		next = (next + 1) % workers;
		hung_up = 0;
	}
	return 0;
}
