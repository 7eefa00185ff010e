/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A process that has forked dies and holds locks, one on each of 64 pages: the kernel says so in
 * each of them (robust list), which copies the page. That is after everything else that can be seen
 * of its end. The process has one thread.
 */
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "sample.h"

enum { PAGE = 4096, PAGES = 64, WORD_AT = 64 };

struct list {
	struct list *next;
};

struct list_head {
	struct list list;
	long word_at; /* the lock's word, behind the entry of the list */
	struct list *pending;
};

static struct list_head head;

static void take_locks(char *memory)
{
	struct list *last = &head.list;
	int self = (int)raw(NR_getpid, 0, 0, 0);

	for (long i = 0; i < PAGES; i++) {
		struct list *lock = (struct list *)(memory + i * PAGE);

		*(volatile int *)((char *)lock + WORD_AT) = self;
		last->next = lock;
		last = lock;
	}
	last->next = &head.list;
	head.word_at = WORD_AT;
	raw(NR_set_robust_list, (long)&head, sizeof(head), 0);
}

/* The pages stay shared until the other end of the pipe is closed. */
static void die_with_locks(char *memory, const int *pipes)
{
	char byte;

	take_locks(memory);
	if (raw__clone(FLAG_PARENT | SIGNAL_CHILD)) /* the command waits for it, too */
		raw__leave(0);
	raw(NR_close, pipes[1], 0, 0);
	raw(NR_read, pipes[0], (long)&byte, 1);
	raw__leave(0);
}

int main(int argc, char **argv)
{
	int pipes[2];
	char *memory;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 2,
			.execs = 1,
			.faults = {{CLASS_OF_FUTEX_COPY, PAGES}},
			.children = {{"fork", 2}},
		});
	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || raw__pipe(pipes))
		sample__fail("robustlist: no memory or no pipe\n");
	if (raw__fork() == 0)
		die_with_locks(memory, pipes);
	raw__wait(-1);
	raw(NR_close, pipes[1], 0, 0);
	raw__wait(-1);
	return 0;
}
