/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a fork is expensive: the parts of its overhead (fork_breakdown.h) that have a cause with a name, added
 * up by cause. A page fault belongs to one cause; faults that are the child's own work to none. Together they
 * are no longer than the overhead: of starting and ending a child no cause is known.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_FORK_CAUSES_H
#define FORKTAX_ANALYSIS_FORKS_FORK_CAUSES_H

#include "analysis/forks/fork_breakdown.h"
#include "model/run/run.h"

enum fork_cause_kind {
	CAUSE_PAGE_TABLES, /* the fork call itself: it copies mappings and page tables, and takes no fault */
	CAUSE_PINNED, CAUSE_DESCRIPTORS, /* what else it copies, apart from that: copied.h */
	CAUSE_BINDING,	   /* ld.so binds symbols again; its code is part of the time */
	CAUSE_KERNEL,	   /* the kernel reads or writes memory of the child, in `call` */
	CAUSE_HEAP,	   /* copies: the heap, and what malloc of libc knows about it */
	CAUSE_STACK,	   /* copies: stacks */
	CAUSE_TLS,	   /* copies: memory of the thread */
	CAUSE_DATA,	   /* copies: data of `object` */
	CAUSE_ANONYMOUS,   /* copies: other memory */
	CAUSE_CODE,	   /* code and constants of `object` are mapped once more */
	CAUSE_ACCESS_FLAG, /* pages that the child only reads: the CPU leaves their access flag to the kernel */
	CAUSE_PARENT,	   /* copies that the parent makes after the fork */
};

/* Per fork. */
struct fork_cause {
	enum fork_cause_kind kind;
	uint32_t object;  /* NO_OBJECT: it has none */
	const char *call; /* of the run; NULL: it has none */
	double faults, ns;
	bool timed; /* ns is known */
};

struct fork_causes {
	struct fork_cause *list; /* the most expensive first; if nothing was timed, by faults */
	size_t count;
};

struct fork_causes fork_causes__of(const struct run *run, const struct fork_breakdown *breakdown);
void fork_causes__free(struct fork_causes *causes);

#endif
