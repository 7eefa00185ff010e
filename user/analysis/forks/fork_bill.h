/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The bill of one fork: where its faults and its time go, per recorded child of a group. Made from
 * the model alone, so of saved runs, too.
 *
 * Faults. Every fault that belongs to a fork is in exactly one line; their sum is `faults`:
 * those of the child in all its images and the parent's copies after it. (What a child copies as a
 * parent itself is on the bills of its children.)
 *
 * Time. `whole` is the mean over the typical forks (fork_cost.typical): from the parent's call
 * until it has reaped the child. It is cut into the parts of probes/fork_parts.def, and each of
 * these into the lines below; all lines but BILL_PARENT add up to it. The parent's copies are
 * beside it: the parent runs on while the child does, or copies after it has reaped the child.
 * Durations of faults are means over all recorded children, parts over the typical forks; if the
 * faults of a part seem to take longer than the part, its line is 0 and BILL_UNEXPLAINED negative.
 * Faults of the kernel before the first fault in user mode are taken off the part start: all of
 * them, though the last one (rseq) comes a moment after that part has ended by the clock.
 *
 * Which line a fault in the child's inherited (or borrowed) image belongs to:
 * - BILL_KERNEL: actor kernel, whatever the class.
 * - BILL_BINDING: actor ld.so, if the group's parent had lazy objects, or a symbol is known to have
 *   been bound. Reads of relocations and symbol tables, fetches of the linker's code and copies of
 *   its stack are by its code, and so part of this. Left out is code of the linker that does
 *   something else: destructors (_dl_fini and what it calls), where its symbol is known, and
 *   loading objects, where its symbol is, or what it works on is new to the child.
 *   Elsewhere (musl, static, BIND_NOW) code of the linker is the program's.
 * - BILL_DATA: else, COW copies and reuses, and copies of file pages.
 * - BILL_MAPS: else, pages of files mapped.
 * - BILL_MEMORY: else, the rest: new memory, shared memory, swap.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_FORK_BILL_H
#define FORKTAX_ANALYSIS_FORKS_FORK_BILL_H

#include "model/run.h"

enum bill_line {
	BILL_COPY,	   /* parent: the fork call until the child exists (part copy) */
	BILL_START,	   /* child: part start without the faults before user mode */
	BILL_KERNEL,	   /* child: faults in kernel mode: thread id, rseq, buffers of read() */
	BILL_BINDING,	   /* child: faults of the lazy binding of symbols */
	BILL_BINDING_CODE, /* child: the span of the binding (below) without its faults */
	BILL_DATA,	   /* child: pages of data copied or taken over */
	BILL_MAPS,	   /* child: text and constants mapped again */
	BILL_MEMORY,	   /* child: all other faults */
	BILL_RUN,	   /* child: part run without all of these: its own code, system calls */
	BILL_EXECD,	   /* child: after exec (part execd), faults of exec'd images included */
	BILL_EXIT,	   /* child: part exit without the faults of the kernel in it */
	BILL_REAP,	   /* teardown, and the parent's wait (part reap) */
	BILL_PARENT,	   /* parent: copies and reuses after the fork; not part of the whole */
	BILL_UNEXPLAINED,  /* faults without a record or an event; time: see above */
	BILL_LINE_COUNT
};

extern const char *const bill_line_keys[BILL_LINE_COUNT]; /* "copy", "binding_code", ... */
extern const char *const bill_line_titles[BILL_LINE_COUNT];

/* Per fork. */
struct bill_entry {
	double faults;
	double timed; /* of these, those of rows with a known mean duration: what ns covers */
	double ns;
	bool known; /* ns is */
	bool by_parent; /* who pays */
};

struct fork_bill {
	uint32_t group;
	uint64_t children; /* recorded: what faults are divided by */
	uint64_t complete; /* forks that `whole` is a mean of */
	double faults;
	double whole; /* ns, if complete */
	double span; /* of the binding, ns; part of BILL_BINDING and BILL_BINDING_CODE */
	struct bill_entry lines[BILL_LINE_COUNT];
};

/* False if no child of the group was recorded. */
bool fork_bill__make(const struct run *run, uint32_t group, struct fork_bill *bill);

/* Mean duration of one fault of the line, ns; NAN if not known or not a line of faults. */
double fork_bill__fault_ns(const struct fork_bill *bill, enum bill_line line);

/* Is this fault one of ld.so in a child that loads an object, by dlopen(3)? */
bool fork_bill__is_loading(const struct anatomy *anatomy, const struct anatomy_row *row);

/* Is this fault part of binding symbols lazily, as defined above? */
bool fork_bill__is_binding(const struct anatomy *anatomy, const struct anatomy_row *row);

/*
 * How long ld.so is at work in a child, ns: not only its faults, but what it computes between
 * them. The faults in user mode are put in order by page, and where pages of the program come
 * between those of binding the block ends. Of each block it is the time from its first fault to the
 * end of its last. So it includes what the program does between two bindings without a fault, and
 * leaves out what ld.so does after its last fault, and bindings without any. Pages that not all
 * children touch, and just once, are passed over ("all": as many as touched the most common page
 * of binding). Not known (false, figure->known too) if that is less than half of the recorded
 * children. No interval: means of all of them.
 */
bool fork_bill__binding_span(const struct anatomy *anatomy, uint32_t group, struct figure *figure);

#endif
