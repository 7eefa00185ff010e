/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For how long none of a command's threads ran, but one could have: it had no CPU. Of each thread it is known how much
 * of a window that was, not when in it. So windows of several threads may have the same moments, and only those that
 * do not overlap add up: the most that some of them do is the least that it was.
 */
#ifndef FORKTAX_SOURCE_CALLS_READY_TIME_H
#define FORKTAX_SOURCE_CALLS_READY_TIME_H

#include <stddef.h>
#include <stdint.h>

struct ready_mark {
	uint64_t end_ns, ns; /* up to there, at least so much */
};

/* All zero: none. */
struct ready_time {
	struct ready_mark *marks; /* owned; in order of time */
	size_t count;
};

/* A window of a thread: of those before it none ends later. */
void ready_time__add(struct ready_time *time, uint64_t begin_ns, uint64_t end_ns, uint64_t ns);
/* How much windows that have ended from `begin_ns` to `end_ns` add to it. */
uint64_t ready_time__between(const struct ready_time *time, uint64_t begin_ns, uint64_t end_ns);
void ready_time__release(struct ready_time *time);

#endif
