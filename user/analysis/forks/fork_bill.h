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
 *
 * Tax: what of all this is there only because it is a fork, and so what can be saved. It is the sum
 * of the lines, BILL_PARENT included, without the child's own work (BILL_MEMORY, BILL_RUN,
 * BILL_EXECD) and BILL_UNEXPLAINED. Waiting is not in it: starting a child counts at most as long as the
 * fork call and a whole fork of the smallest process together (COST_FORK, where that is known), the
 * rest of that time it waited for a CPU; and as a parent may be late to wait for its child,
 * teardown counts at most as long as making the child took, since undoing costs no more than doing.
 * Without a child that was reaped by wait4, the call's median stands for copying, start, exit and
 * teardown.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_FORK_BILL_H
#define FORKTAX_ANALYSIS_FORKS_FORK_BILL_H

#include "model/run.h"

enum bill_line {
#define BILL_LINE(id, key, title) BILL_##id,
#include "analysis/forks/bill_lines.def"
#undef BILL_LINE
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
};

struct fork_bill {
	uint32_t group;
	uint64_t children; /* recorded: what faults are divided by */
	uint64_t complete; /* forks that `whole` is a mean of */
	double forks;	   /* of the group, recorded or not, unfinished children included */
	bool lazy;	   /* ld.so binds symbols in these children */
	double faults;
	double whole; /* ns, if complete */
	bool taxed;   /* the tax is known */
	double tax;   /* ns; 0: not known */
	double waiting;		/* in lines of the tax, but left out of it, ns */
	double execd_faults_ns; /* of BILL_EXECD, the time of faults */
	struct bill_entry lines[BILL_LINE_COUNT];
};

/* False if no child of the group was recorded. Costs go first: the tax needs them. */
bool fork_bill__make(const struct run *run, uint32_t group, struct fork_bill *bill);

/* Is this fault one of ld.so in a child that loads an object, by dlopen(3)? */
bool fork_bill__is_loading(const struct anatomy *anatomy, const struct anatomy_row *row);

/* Is this fault, of the group of that bill, part of binding symbols lazily, as defined above? */
bool fork_bill__is_binding(const struct fork_bill *bill, const struct anatomy *anatomy,
			   const struct anatomy_row *row);

/* Did ld.so bind lazily in the children of the group? */
bool fork_bill__binds_lazily(const struct anatomy *anatomy, uint32_t group);

/*
 * How long ld.so is at work in a child of that group, ns (group and lazy of the bill are set): not
 * only its faults, but what it computes between
 * them. The faults in user mode are put in order by page, and where pages of the program come
 * between those of binding the block ends. Of each block it is the time from its first fault to the
 * end of its last. So it includes what the program does between two bindings without a fault, and
 * leaves out what ld.so does after its last fault, and bindings without any. Pages that not all
 * children touch, and just once, are passed over ("all": as many as touched the most common page
 * of binding). Not known (false) if that is less than half of the recorded children. A mean of all
 * of them.
 */
bool fork_bill__binding_span(const struct fork_bill *bill, const struct anatomy *anatomy,
			     double *ns);

#endif
