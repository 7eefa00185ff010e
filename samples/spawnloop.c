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
#include <stdlib.h>

#include "heap.h"
#include "loop.h"
#include "sample.h"
#include "spawn_ways.h"

struct loop {
	long processes;
	struct spawn_target target;
	struct heap heap;
	int telling;
};

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
			loop->target.path = optarg;
			make_command(optarg);
			break;
		case 's':
			loop->target.shell = optarg;
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
		if (strcmp(ways[i].key, key) == 0 && (loop->target.path || !ways[i].executes))
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
		way_SPAWN(&loop->target);
#endif
	return sample__expect(&(struct expectation){
		.forks = n,
		.execs = way->executes ? n + 1 : 1,
		.calls = {way->executes ? exec : leave},
		.children = {{way->birth, n}},
	});
}

static void print_error(const struct way *way, long result)
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
		long result = way->create(&loop.target);

		if (result)
			print_error(way, result);
	}
	if (loop.telling)
		loop__tell_more(begin, loop.processes, "vsz_bytes", kib * 1024);
	return 0;
}
