/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples that have a child create threads, in round after round.
 */
#ifndef SAMPLES_THREAD_ROUNDS_H
#define SAMPLES_THREAD_ROUNDS_H

#include "sample.h"

struct thread_rounds {
	long rounds, threads; /* -n, -t: how many, the latter without the leader */
};

static void thread_rounds__options(struct thread_rounds *options, int argc, char **argv,
				   long most_threads)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-n"))
			options->rounds = sample__number(argv[i + 1]);
		else if (!strcmp(argv[i], "-t") && sample__number(argv[i + 1]) <= most_threads)
			options->threads = sample__number(argv[i + 1]);
	}
}

/* Each in a child of its own, one after the other. */
static void thread_rounds__run(const struct thread_rounds *options, void (*one_round)(void))
{
	for (long i = 0; i < options->rounds; i++) {
		long pid = raw__fork();

		if (pid == 0)
			one_round();
		raw__wait(pid);
	}
}

#endif
