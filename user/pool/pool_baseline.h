/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the members of a pool shared when it was first looked at: who of them had which frame, 8 bytes
 * for each page and a bit for each member. Later looks tell by it what was inherited, and who has
 * copied: who still has the frame has not.
 */
#ifndef FORKTAX_POOL_POOL_BASELINE_H
#define FORKTAX_POOL_POOL_BASELINE_H

#include "pool/pool_groups.h"

struct baseline_member {
	pid_t pid;
	uint64_t started; /* clock ticks after boot: pids are used again */
};

/* A window of addresses. */
struct baseline_window {
	uint64_t number;
	/* That at least two members had; else that of the master alone; FRAME_NONE: neither. */
	uint64_t frame[WINDOW_PAGES];
	uint64_t *sharers; /* by member, WINDOW_PAGES bits each: it had that frame, with others */
};

struct pool_baseline {
	struct baseline_member *members;
	size_t member_count; /* 0: nothing was recorded yet */
	struct baseline_window *windows; /* in order of address */
	size_t window_count;
	uint64_t every, start; /* of the sample: later looks take the same windows */
	uint64_t taken; /* when, ns since the epoch */
};

enum { NO_BASELINE = UINT32_MAX };

/* Starts over, with these members. */
void pool_baseline__begin(struct pool_baseline *baseline, const struct pool_member *members,
			  size_t count, uint64_t now);
/* The next page of the window; `shown` as pool_groups__proven() has it. */
void pool_baseline__record(struct pool_baseline *baseline, const struct pool_window *window,
			   const struct pool_groups *groups, unsigned int page,
			   const struct pool_group *shown);
void pool_baseline__release(struct pool_baseline *baseline);

/* What was recorded of a window; NULL: nothing. */
const struct baseline_window *pool_baseline__window(const struct pool_baseline *baseline,
						    uint64_t number);
/* The number of a member in it; NO_BASELINE: it was born since. */
uint32_t pool_baseline__member(const struct pool_baseline *baseline,
			       const struct pool_process *process);
/* Did the member share the page, with its frame? */
bool baseline_window__shares(const struct baseline_window *window, uint32_t member,
			     unsigned int page);

#endif
