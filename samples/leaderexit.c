/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The main thread leaves first, by pthread_exit(); the process goes on until its last thread.
 *
 * forktax-sample: libs=pthread not=diet reason="its manager thread crashes at the end"
 */
#include <pthread.h>
#include <time.h>

#include "sample.h"

enum { THREADS = 4, CALLS = 30 };

/* The pause lets the leader become a zombie before the workers make their calls. */
static void *work(void *unused)
{
	struct timespec pause = {.tv_nsec = 20000000};

	raw(NR_nanosleep, (long)&pause, 0, 0);
	raw__repeat(NR_getppid, 0, CALLS);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 1,
			.threads = THREADS,
			.calls = {{"getppid", .calls = THREADS * CALLS, .of_root = THREADS * CALLS},
				  {"nanosleep", .calls = THREADS, .of_root = THREADS}},
		});
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, work, NULL))
			sample__fail("leaderexit: cannot create a thread\n");
	pthread_exit(NULL);
}
