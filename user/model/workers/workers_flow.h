/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What became of the memory of a pool while it was watched: each page that stopped being shared, when,
 * and by what code; new memory by code; and the totals that must agree. The terms are defined in
 * docs/use/workers.md. Moments are nanoseconds since the watch began, counts are of pages of 4 KiB.
 */
#ifndef FORKTAX_MODEL_WORKERS_WORKERS_FLOW_H
#define FORKTAX_MODEL_WORKERS_WORKERS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forktax.h" /* enum actor */
#include "model/rows/absent.h"
#include "model/stacks/stacks.h"
#include "model/estimate.h"

/* A function of a call stack. */
struct flow_frame {
	char *object; /* file of the code; NULL: none */
	char *symbol; /* NULL: not known */
	uint64_t offset; /* without a symbol: in the file, or an address if there is none */
	bool proven; /* as in struct call_stack */
};

/* Copies of a writer that were called for alike: the writer first, then its caller, and so on. */
struct flow_stack {
	struct flow_frame *frames;
	size_t frame_count;
	enum stack_stop stop;
	uint64_t copies;
};

enum { FLOW_STACKS = 16 }; /* of a writer */

/*
 * Code that wrote: a symbol; an instruction where none is known; the kernel, by the call that was under
 * way. In order of copies, then of pages filled.
 */
struct flow_writer {
	enum actor actor;
	char *object; /* file that the code is mapped from; NULL: none, not known, or the kernel */
	uint64_t offset; /* in it, of the first instruction seen; an address without one; ABSENT: kernel */
	char *symbol; /* NULL: not known */
	char *call; /* actor kernel: the system call under way; NULL: none known */
	uint64_t copies; /* of all members */
	uint64_t filled; /* pages of new memory */
	uint64_t members; /* that it copied pages in */
	struct flow_stack *stacks; /* with -k: those with most copies; others have none */
	size_t stack_count;
	uint32_t code; /* in a flow_log, while it is made; not saved */
};

/* One page, unshared by a copy. A page is copied again only if its process has forked meanwhile. */
struct flow_copy {
	uint32_t member; /* in flow.members */
	uint32_t writer; /* in flow.writers */
	uint64_t address; /* of the page */
	uint64_t ns;
};

/*
 * A process of the pool. shared_before - shared_after = copied + last_owner + unmapped +
 * unexplained - newly_shared, if both are known; else these five are 0.
 */
struct flow_member {
	int32_t pid;
	uint32_t parent; /* in flow.members; FLOW_NO_MEMBER: none of them */
	char *name; /* the kernel's; NULL: it ended before it was read */
	uint64_t born_ns; /* ABSENT: before the watch, or the master */
	uint64_t ended_ns; /* by its end or an execve; ABSENT: it is still a member */
	bool executed; /* another program: a helper, and no worker */
	/* By the page map; ABSENT: not read then. */
	/* At the beginning; of one born since, when it was first read, and what it had copied by then. */
	uint64_t shared_before;
	uint64_t shared_after; /* at the end; ABSENT for those that have ended */
	uint64_t copied; /* of the difference: it has copied them, by an event */
	uint64_t last_owner; /* it still has the frame, and is the last one */
	uint64_t unmapped; /* not there any more */
	uint64_t unexplained; /* another frame, without a copy: filled again, merged, written from outside */
	uint64_t newly_shared; /* with a child of its own, or merged */
	/* By events. */
	uint64_t copies;
	uint64_t filled; /* pages of new memory */
	/*
	 * From its birth or the beginning of the watch until half of the pages were copied that it shared
	 * at first; ABSENT: not reached, or not known how many those were.
	 */
	uint64_t half_life_ns;
};

enum { FLOW_NO_MEMBER = UINT32_MAX };

/* Growth of the pool by two witnesses. ABSENT: not known. */
struct flow_cross_check {
	uint64_t before_bytes, after_bytes; /* sums of Pss_Anon, by the page maps and the mappings of each frame */
	uint64_t copied_bytes, filled_bytes; /* by events */
	uint64_t given_back_bytes; /* by the page map, and by the ends of members */
	bool matches; /* before + copied + filled - given back = after, within 1 KiB for each member */
};

struct workers_flow {
	uint64_t page_bytes; /* of the machine; not saved, as the document with this flow has it */
	uint64_t begin_ns; /* CLOCK_MONOTONIC */
	uint64_t duration_ns;
	uint64_t state_ns; /* when the state was read that the document tells; ABSENT: never */
	struct flow_member *members; /* the master first, then by birth */
	size_t member_count;
	bool orphans; /* there is no master among them: all are workers */
	struct flow_writer *writers;
	size_t writer_count;
	struct flow_copy *copies; /* by time */
	size_t copy_count;
	struct flow_cross_check cross_check;
	bool events_exact; /* the source missed no event, and counted everybody to the end */
	uint64_t stacks_lost; /* codes whose call stack was gone when it was to be read */
	uint64_t lost; /* copies known by their number only: no room in the kernel's buffer */
	uint64_t beyond; /* the same: more than are kept */
	uint64_t unattributed; /* pages of new memory of the trace, perhaps of others: more code than is kept */
	uint64_t unread; /* members whose memory was not read when they were new: ended, or too many */
};

/*
 * Returns before + copied + filled - given back - after, and stores whether that is known. The totals
 * agree if it is at most 1 KiB for each member.
 */
int64_t workers_flow__gap(const struct workers_flow *flow, bool *known);
bool workers_flow__cross_check_matches(const struct workers_flow *flow);

/* Is it a member that was forked and has executed nothing? The master is none. */
bool workers_flow__is_worker(const struct workers_flow *flow, size_t member);
size_t workers_flow__workers(const struct workers_flow *flow);

/* Was every copy recorded, all new memory filed, and every member known? */
bool workers_flow__is_exact(const struct workers_flow *flow);

/* Fills half_life_ns of all members, by their copies. To be called when these are known. */
void workers_flow__find_half_lives(struct workers_flow *flow);

/*
 * The pages that every worker born meanwhile copied in its first second, as indices of a copy of each,
 * to be freed; NULL if there are none, or fewer than two such workers. Stores how many.
 */
size_t *workers_flow__common(const struct workers_flow *flow, size_t *count);

#endif
