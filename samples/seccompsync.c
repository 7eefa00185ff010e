/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A filter of seccomp that a thread gets from another one (TSYNC). The call that it made last has
 * returned well and was no error, and all that follow are denied. Without an option that is another
 * call, which has returned before; with -w the same one, in which it sleeps meanwhile; with -s the same
 * one, which has returned, and then forktax cannot know whether the first denied call is its end.
 */
#include "asleep.h"
#include "seccomp.h"

enum { DENIED = 20, STACK = 4096 };

static char stack[STACK] __attribute__((aligned(16)));
static volatile int ready, go, done;
static int channel[2];
static long first = NR_getsid, denied = NR_getpgid;

static void work(void *unused)
{
	char byte;
	struct {
		char *base;
		long length;
	} into = {&byte, 1};

	(void)unused;
	raw(first, first == NR_readv ? channel[0] : 0, (long)&into, 1);
	ready = 1;
	while (!go)
		;
	raw__repeat(denied, 0, DENIED);
	done = 1;
	for (;;) /* no exit of its own, which might come before or after that of the process */
		;
}

static void deny_for_all_threads(unsigned int nr)
{
	if (seccomp__answer(nr, RET_ERRNO | 1, 1))
		sample__skip("seccompsync: this kernel has no filters for all threads\n");
}

static const char *parse(int argc, char **argv)
{
	if (argc < 2)
		return "getpgid";
	first = denied = strcmp(argv[1], "-w") ? NR_getpgid : NR_readv;
	return denied == NR_readv ? "readv" : "getpgid";
}

int main(int argc, char **argv)
{
	int expecting = sample__expecting(&argc, &argv);
	const char *name = parse(argc, argv);
	long thread;

	if (expecting)
		return sample__expect(&(struct expectation){
			.execs = 1,
			.threads = 1,
			.calls = {{name, .calls = first == denied, .of_root = first == denied,
				   .denied = DENIED},
				  {"getsid", .calls = first != denied, .of_root = first != denied}},
		});
	raw__pipe(channel);
	thread = raw__start(FLAG_A_THREAD, stack, STACK, work, NULL);
	if (thread < 0)
		sample__fail("seccompsync: cannot create a thread\n");
	if (first == NR_readv)
		wait_for_sleep(thread);
	while (first != NR_readv && !ready)
		;
	deny_for_all_threads(denied);
	raw(NR_write, channel[1], (long)"", 1);
	go = 1;
	while (!done)
		;
	raw__leave(0); /* dietlibc would end the first thread only */
}
