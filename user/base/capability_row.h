/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What may be there or not, with what its absence costs: the rows of `forktax doctor`.
 */
#ifndef FORKTAX_BASE_CAPABILITY_ROW_H
#define FORKTAX_BASE_CAPABILITY_ROW_H

#include <stdbool.h>
#include <stddef.h>

enum capability_state { CAPABILITY_THERE, CAPABILITY_MISSING, CAPABILITY_UNTRIED };

/*
 * Something that forktax needs of the kernel, the machine or its privileges. It is tried, not
 * guessed from a version number.
 */
struct capability {
	const char *name;
	bool needed; /* nothing can be traced without it */
	/*
	 * May store a reason in `why` unless it returns CAPABILITY_THERE. NULL: tries to trace a
	 * command.
	 */
	enum capability_state (*try)(const void *subject, char *why, size_t size);
	const void *subject; /* what `try` tries; NULL where there is but one thing to try */
	const char *cost; /* what is lost without it */
	const char *remedy; /* how to get it, as the beginning of a sentence */
	/* A command line that does it; the word FORKTAX stands for this program. NULL: there is none. */
	const char *command;
};

#endif
