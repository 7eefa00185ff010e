/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults after the exit, of a process with one thread: it ends while it holds robust mutexes on 10
 * pages that a fork has write-protected, and the kernel marks each of them (set_robust_list(2)).
 */
#include "sample.h"

enum { MUTEXES = 10, PAGE = 4096, NR_set_robust_list = 273 };

struct entry {
	struct entry *next;
	volatile int word;
} __attribute__((aligned(PAGE)));

static struct entry mutexes[MUTEXES];
static struct {
	struct entry *next;
	long offset; /* from an entry to its futex */
	struct entry *pending;
} head;

static void hold_all(void)
{
	long id = raw(NR_getpid, 0, 0, 0);

	for (int i = 0; i < MUTEXES; i++) {
		mutexes[i].word = id;
		mutexes[i].next = i + 1 < MUTEXES ? &mutexes[i + 1] : (struct entry *)&head;
	}
	head.next = mutexes;
	head.offset = (long)&mutexes[0].word - (long)&mutexes[0];
	if (raw(NR_set_robust_list, (long)&head, sizeof(head), 0))
		sample__fail("robustlate: set_robust_list is refused\n");
}

int main(int argc, char **argv)
{
	long pid, grandchild;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.forks = 2,
			.execs = 1,
			.faults = {{"cow_reuse", MUTEXES}, {"zero_fill", MUTEXES}},
			.children = {{"fork", 2}},
		});
	pid = raw__fork();
	if (pid == 0) {
		hold_all();
		grandchild = raw__fork();
		if (grandchild == 0)
			raw__leave(0);
		raw__wait(grandchild);
		raw__leave(0);
	}
	raw__wait(pid);
	return 0;
}
