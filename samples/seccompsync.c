/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A filter of seccomp that a thread gets from another one (TSYNC), between two of its calls: the
 * first has returned well and was no error, and all that follow are denied.
 */
#include "sample.h"

enum { DENIED = 20, STACK = 4096 };
enum { NR_seccomp = 317, SET_MODE_FILTER = 1, TSYNC = 1, SET_NO_NEW_PRIVS = 38 };
enum { RET_ERRNO = 0x50000, RET_ALLOW = 0x7fff0000 };

/* struct sock_filter and struct sock_fprog; not every libc brings the headers of the kernel. */
struct instruction {
	unsigned short code;
	unsigned char if_true, if_false;
	unsigned int operand;
};

struct filter {
	unsigned short length;
	const struct instruction *code;
};

static char stack[STACK] __attribute__((aligned(16)));
static volatile int ready, go, done;

static void work(void *unused)
{
	(void)unused;
	raw(NR_getsid, 0, 0, 0);
	ready = 1;
	while (!go)
		;
	raw__repeat(NR_getpgid, 0, DENIED);
	done = 1;
	for (;;) /* no exit of its own, which might come before or after that of the process */
		;
}

static void deny_for_all_threads(unsigned int nr)
{
	const struct instruction code[] = {
		{0x20, 0, 0, 0}, /* load the number */
		{0x15, 0, 1, nr}, /* is it this one? */
		{0x06, 0, 0, RET_ERRNO | 1},
		{0x06, 0, 0, RET_ALLOW},
	};
	const struct filter filter = {4, code};

	raw4(NR_prctl, SET_NO_NEW_PRIVS, 1, 0, 0);
	if (raw(NR_seccomp, SET_MODE_FILTER, TSYNC, (long)&filter))
		sample__skip("seccompsync: this kernel has no filters for all threads\n");
}

int main(int argc, char **argv)
{
	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 1,
			.threads = 1,
			.calls = {{"getsid", .calls = 1, .of_root = 1},
				  {"getpgid", .denied = DENIED}},
		});
	if (raw__start(FLAG_A_THREAD, stack, STACK, work, NULL) < 0)
		sample__fail("seccompsync: cannot create a thread\n");
	while (!ready)
		;
	deny_for_all_threads(NR_getpgid);
	go = 1;
	while (!done)
		;
	raw__leave(0); /* dietlibc would end the first thread only */
}
