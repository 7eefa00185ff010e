/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sums of copies by unit and call stack, until they are taken. Its size is bounded: what has no room is counted without
 * its stack.
 */
#ifndef FORKTAX_SOURCE_COPY_LOG_H
#define FORKTAX_SOURCE_COPY_LOG_H

#include "base/hash.h"
#include "model/watch/copy_profile.h"
#include "source/unit_reading.h"

enum {
	COPY_LOG_SAMPLES = 1 << 15,
	COPY_LOG_STACKS = 1 << 14,
};

/* All zero: empty. */
struct copy_log {
	struct texts units;
	struct hash samples; /* their numbers, by what they are about */
	struct copy_log_sample *list;
	struct hash stacks; /* numbers, by the hash of the kernel half */
	struct copy_stack **stack_list;
};

/* Takes the stack over. */
void copy_log__add(struct copy_log *log, const char *unit, struct unit_copies *copies);
/* All that is in it, to be freed by copy_profile__free(). Paths and names are still missing. */
struct copy_profile *copy_log__profile(const struct copy_log *log);
void copy_log__release(struct copy_log *log);

#endif
