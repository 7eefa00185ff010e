/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A pool whose worker goes on and on: by turns it copies a page that it shares with its master, and fills a new
 * one, with a rest after each. Prints the pids of master and worker, waits for a byte, and works until it reads
 * another one; then it tells each page as a line "copy|fill FROM TO": the write was between these moments
 * (CLOCK_MONOTONIC, ns), and a line "done". Ends with its stdin.
 *
 *	workersteady MIB	that much memory is shared besides, and stays so
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "die_with.h"

enum { PAGE = 4096, MOST = 100000, REST_US = 300 };

struct span {
	uint64_t from, to;
};

/* Of both processes. */
struct ledger {
	atomic_int go; /* 1: work; 2: enough */
	atomic_int done;
	int count; /* of each */
	struct span copies[MOST], fills[MOST];
};

static struct ledger *ledger;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void *map(size_t bytes, int flags)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED) {
		perror("workersteady: mmap");
		exit(1);
	}
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	return memory;
}

__attribute__((noinline)) void copy_page(volatile char *address)
{
	address[0] = 2;
}

__attribute__((noinline)) void fill_page(volatile char *address)
{
	address[0] = 3;
}

static void work(char *inherited, pid_t master)
{
	char *fresh = map((size_t)MOST * PAGE, MAP_PRIVATE);

	die_with(master);
	while (!ledger->go)
		usleep(REST_US);
	for (size_t i = 0; i < MOST && ledger->go == 1; i++) {
		ledger->copies[i].from = now();
		copy_page(inherited + i * PAGE);
		ledger->copies[i].to = ledger->fills[i].from = now();
		fill_page(fresh + i * PAGE);
		ledger->fills[i].to = now();
		ledger->count = i + 1;
		usleep(REST_US);
	}
	ledger->done = 1;
	for (;;)
		pause();
}

static void tell(const char *name, const struct span *spans)
{
	for (int i = 0; i < ledger->count; i++)
		printf("%s %" PRIu64 " %" PRIu64 "\n", name, spans[i].from, spans[i].to);
}

int main(int argc, char **argv)
{
	size_t beside = (argc > 1 ? strtoul(argv[1], NULL, 10) : 0) << 20;
	char *inherited = map((size_t)MOST * PAGE, MAP_PRIVATE), byte;
	pid_t worker, master = getpid();

	signal(SIGINT, SIG_IGN); /* a watch that is ended so leaves it alone */
	ledger = map(sizeof(*ledger), MAP_SHARED);
	memset(ledger, 0, sizeof(*ledger));
	memset(inherited, 1, (size_t)MOST * PAGE);
	if (beside)
		memset(map(beside, MAP_PRIVATE), 1, beside);
	worker = fork();
	if (!worker)
		work(inherited, master);
	printf("%d %d\n", (int)getpid(), (int)worker);
	fflush(stdout);
	if (read(0, &byte, 1) != 1)
		return 1;
	ledger->go = 1;
	if (read(0, &byte, 1) != 1)
		return 1;
	ledger->go = 2;
	while (!ledger->done)
		usleep(1000);
	tell("copy", ledger->copies);
	tell("fill", ledger->fills);
	puts("done");
	fflush(stdout);
	if (read(0, &byte, 1) < 0)
		perror("workersteady: stdin");
	return 0;
}
