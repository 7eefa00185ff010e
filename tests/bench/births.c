// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A parent that gives birth again and again, and times each birth by itself: from before the call
 * until the child has been waited for and the parent has gone on with its work. One half of a pair of
 * programs of tests/bench/predictions is this without a remedy, the other this with it.
 *
 *	-n N	births (100)
 *	-m WAY	fork (default), vfork, spawn (posix_spawn; needs -e), or none: the parent does the work
 *	-e PATH	the child executes PATH
 *	-x	the child leaves by exit(), not by _exit()
 *	-r KIB	the parent has written that much memory; with -H in huge pages, with -D kept out of children,
 *		with -W wiped in them, with -M shared, with -g N only every Nth page written
 *	-a N	and N blocks of 1000 bytes from malloc; with -f N children free N of them
 *	-v N	it has N more mappings
 *	-j N	it has N more threads
 *	-l N	it has loaded N copies of the library -L PATH
 *	-B N	it has called N functions of libc
 *	-b N	the child calls N such functions, at most 48
 *	-w N	the child writes N pages of the memory, from its begin
 *	-p N	the parent writes N pages of it while the child is there, from its end
 *	-q N	and N pages after it has waited
 *	-s N	the child reads N pages of shared memory, 2 MiB from one to the next; with -S side by side
 *	-c N	the child calls N functions of this program, at most 8, 64 KiB apart unless built with NEAR
 *	-A	each birth is for a connection over loopback, which child and parent close at once
 *
 * Prints one line: births, the median and the mean of their times in ns, and the faults that parent and
 * children took meanwhile.
 */
#include <netinet/in.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "births.h"
#include "burden.h"
#include "calls.h"

/* A reader of these faults on the same CPU is to be done with them before the first birth. */
enum { SETTLE_US = 200000 };
enum { BLOCK = 1000, TABLE_SPAN = 2 << 20, PLACES = 8 };
#ifdef NEAR
#define APART
#else
#define APART __attribute__((aligned(65536)))
#endif

extern char **environ;

struct births {
	long count, kib, blocks, freed, mappings, threads, libraries, bound, calls;
	long by_child, by_parent, by_parent_after;
	long shared, stride, places, gap;
	const char *way, *path, *library;
	int by_exit, huge, advice, share, accepts;
	volatile char *memory, *shared_memory;
	char **block;
	int listener, client, connection;
	struct sockaddr_in address;
};

/* Functions that differ, so that no two become one. */
#define PLACE(n)                                                                                   \
	APART __attribute__((noinline)) static long place_##n(volatile long *value)                \
	{                                                                                          \
		return *value += n;                                                                \
	}
PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7) PLACE(8)
#undef PLACE

static void call_places(long count)
{
	static long (*const places[PLACES])(volatile long *) = {
		place_1, place_2, place_3, place_4, place_5, place_6, place_7, place_8,
	};
	volatile long value = 0;

	for (long i = 0; i < count && i < PLACES; i++)
		places[i](&value);
}

static void write_pages(volatile char *from, long pages)
{
	for (long page = 0; page < pages; page++)
		from[page * BURDEN_PAGE]++;
}

static void write_last(const struct births *births, long pages)
{
	write_pages(births->memory + births->kib * 1024 - pages * BURDEN_PAGE, pages);
}

static void work(const struct births *births)
{
	write_pages(births->memory, births->by_child);
	for (long i = 0; i < births->shared; i++)
		(void)births->shared_memory[i * births->stride];
	call_places(births->places);
	for (long i = 0; i < births->freed; i++)
		free(births->block[i * (births->blocks / births->freed)]);
	calls__make(births->calls);
}

static void be_child(const struct births *births)
{
	char *const argv[] = {(char *)births->path, NULL};

	work(births);
	if (births->path)
		execve(births->path, argv, environ);
	if (births->by_exit)
		exit(0);
	_exit(births->path ? 127 : 0);
}

static pid_t give_birth(const struct births *births)
{
	char *const argv[] = {(char *)births->path, NULL};
	pid_t pid = -1;

	switch (births->way[0]) {
	case 's':
		return posix_spawn(&pid, births->path, NULL, NULL, argv, environ) ? -1 : pid;
	case 'v':
		pid = vfork();
		break;
	case 'n':
		work(births);
		return 0;
	default:
		pid = fork();
	}
	if (pid == 0)
		be_child(births);
	return pid;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void take_connection(struct births *births)
{
	births->client = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(births->client, (struct sockaddr *)&births->address, sizeof(births->address)))
		sample__fail("births: -A: cannot connect\n");
	births->connection = accept(births->listener, NULL, NULL);
}

static void drop_connection(const struct births *births)
{
	/* The side that closes first would keep the port for a minute: reset instead. */
	struct linger linger = {.l_onoff = 1};

	setsockopt(births->client, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	close(births->client);
	close(births->connection);
}

static double time_one(struct births *births)
{
	double begin = now();
	pid_t pid;

	if (births->accepts)
		take_connection(births);
	pid = give_birth(births);
	if (pid < 0)
		sample__fail("births: no child\n");
	write_last(births, births->by_parent);
	if (pid)
		waitpid(pid, NULL, 0);
	if (births->accepts)
		drop_connection(births);
	write_last(births, births->by_parent_after);
	return now() - begin;
}

static void allocate(struct births *births)
{
	births->block = malloc(births->blocks * sizeof(*births->block));
	for (long i = 0; i < births->blocks; i++) {
		births->block[i] = malloc(BLOCK);
		memset(births->block[i], 1, BLOCK);
	}
}

static void listen_on_loopback(struct births *births)
{
	socklen_t size = sizeof(births->address);

	births->address.sin_family = AF_INET;
	births->address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	births->listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(births->listener, (struct sockaddr *)&births->address, size) ||
	    listen(births->listener, 8) ||
	    getsockname(births->listener, (struct sockaddr *)&births->address, &size))
		sample__fail("births: -A: cannot listen on loopback\n");
}

static volatile char *map_otherwise(const struct births *births)
{
	int flags = MAP_ANONYMOUS | (births->share ? MAP_SHARED : MAP_PRIVATE);
	long size = births->kib * 1024, gap = births->gap ? births->gap : 1;
	volatile char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (memory == MAP_FAILED)
		sample__fail("births: not enough memory for -r\n");
	for (long at = 0; at < size; at += gap * BURDEN_PAGE)
		memory[at] = 1;
	return memory;
}

static void map_memory(struct births *births)
{
	if (births->share || births->gap)
		births->memory = map_otherwise(births);
	else
		births->memory = burden__memory(births->kib, births->huge);
	if (births->advice)
		madvise((void *)births->memory, births->kib * 1024, births->advice);
	if (births->shared)
		births->shared_memory = mmap(NULL, births->shared * TABLE_SPAN, PROT_READ,
					     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (births->shared_memory == MAP_FAILED)
		sample__fail("births: not enough memory for -s\n");
}

static void prepare(struct births *births)
{
	map_memory(births);
	if (births->blocks)
		allocate(births);
	if (births->accepts)
		listen_on_loopback(births);
	burden__mappings(births->mappings);
	burden__libraries(births->libraries, births->library);
	burden__threads(births->threads);
	calls__make(births->bound);
	usleep(SETTLE_US);
}

static long *number_of(struct births *births, int option)
{
	switch (option) {
	case 'n': return &births->count;
	case 'r': return &births->kib;
	case 'a': return &births->blocks;
	case 'f': return &births->freed;
	case 'v': return &births->mappings;
	case 'j': return &births->threads;
	case 'l': return &births->libraries;
	case 'B': return &births->bound;
	case 'b': return &births->calls;
	case 'w': return &births->by_child;
	case 'p': return &births->by_parent;
	case 's': return &births->shared;
	case 'c': return &births->places;
	case 'g': return &births->gap;
	default: return &births->by_parent_after; /* q */
	}
}

static void parse(struct births *births, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "n:m:e:xr:HDWMg:a:f:v:j:l:L:B:b:w:p:q:s:Sc:A")) != -1) {
		switch (option) {
		case 'm':
			births->way = optarg;
			break;
		case 'e':
			births->path = optarg;
			break;
		case 'L':
			births->library = optarg;
			break;
		case 'x':
			births->by_exit = 1;
			break;
		case 'H':
			births->huge = 1;
			break;
		case 'D':
			births->advice = MADV_DONTFORK;
			break;
		case 'W':
			births->advice = MADV_WIPEONFORK;
			break;
		case 'M':
			births->share = 1;
			break;
		case 'S':
			births->stride = BURDEN_PAGE;
			break;
		case 'A':
			births->accepts = 1;
			break;
		case '?':
			exit(2);
		default:
			*number_of(births, option) = sample__number(optarg);
		}
	}
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
	struct births births = {.count = 100, .way = "fork", .stride = TABLE_SPAN};
	double *times, sum = 0;
	long faults;

	parse(&births, argc, argv);
	prepare(&births);
	times = burden__map(births.count * sizeof(*times), "births: not enough memory for -n\n");
	faults = births__faults();
	for (long i = 0; i < births.count; i++)
		sum += times[i] = time_one(&births);
	faults = births__faults() - faults;
	qsort(times, births.count, sizeof(*times), ascending);
	printf("births %ld median %.0f mean %.0f faults %ld\n", births.count,
	       times[births.count / 2], sum / (double)births.count, faults);
	fflush(stdout);
	raw__leave(0);
}
