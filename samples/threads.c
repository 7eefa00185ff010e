/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads made by pthread_create, each making a known number of calls; the main thread none of
 * them.
 *
 * forktax-sample: libs=pthread not=diet reason="its manager thread crashes at the end"
 */
#include <pthread.h>

#include "sample.h"

enum { THREADS = 8, CALLS = 50 };

static void *work(void *unused)
{
	raw__repeat(NR_getppid, 0, CALLS);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (sample__expecting(&argc, &argv))
		return sample__expect(&(struct expectation){
			.execs = 1,
			.threads = THREADS,
			.calls = {{"getppid", .calls = THREADS * CALLS,
				   .of_root = THREADS * CALLS}},
		});
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			sample__fail("threads: cannot create a thread\n");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
