/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The breakdown of one fork: where its faults and its time go, per recorded child of a group. It is
 * made from the model alone, so saved runs have one, too.
 *
 * Faults. Every fault that belongs to a fork is in exactly one line, and the lines sum to `faults`:
 * the child's faults in all its images, and the parent's copies afterwards. (What a child copies as
 * a parent is on the breakdowns of its own children.)
 *
 * Time. `whole` is the mean over the typical forks (fork_cost.typical): from the parent's call
 * until it has reaped the child. It is cut into the parts of probes/fork_parts.def, and these into
 * the lines below; all lines but BREAKDOWN_PARENT add up to it. The parent's copies are not part of
 * it: the parent makes them while the child runs, or after it has reaped the child. Durations of
 * faults are means over all recorded children, parts are means over the typical forks; if the
 * faults of a part seem to take longer than the part, they are all made shorter until they fit: so no line is
 * longer than the whole. The kernel's faults before the first fault in user mode are taken off the part start:
 * all of them, though the last one (rseq) comes a moment after that part has ended by the clock.
 *
 * Which line a fault in the child's inherited (or borrowed) image belongs to:
 * - BREAKDOWN_KERNEL: actor kernel, whatever the class.
 * - BREAKDOWN_BINDING: actor ld.so, if the group's parent had lazy objects, or a symbol is known to
 *   have been bound. That includes reads of relocations and symbol tables, fetches of the linker's
 *   code and copies of its stack. It leaves out code of the linker that does something else:
 *   destructors (_dl_fini and what it calls), if its symbol is known, and loading of objects, if
 *   its symbol is known or the object is new to the child; thread-local data (__tls_get_addr) and tables for
 *   unwinding, if its symbol is known, and memory that it allocates: binding writes to no heap.
 *   Elsewhere (musl, static, BIND_NOW) code of the linker is the program's.
 * - BREAKDOWN_DATA: other COW copies and reuses, and copies of file pages.
 * - BREAKDOWN_MAPS: other mapped pages of files.
 * - BREAKDOWN_ACCESS_FLAG: other faults of class access_flag.
 * - BREAKDOWN_MEMORY: the rest: new memory, shared memory, swap.
 *
 * Overhead: the part of all this that is only there because of the fork, and so can be saved. It is
 * the sum of the lines, BREAKDOWN_PARENT included, without the child's own work (BREAKDOWN_MEMORY,
 * BREAKDOWN_RUN, BREAKDOWN_EXECD) and BREAKDOWN_UNEXPLAINED. It leaves out waiting. Starting a
 * child counts for no longer than the fork call and a whole fork of the smallest process
 * (COST_FORK, if known) together: the rest of the time the child waited for a CPU. Teardown counts
 * for no longer than making the child took: undoing costs no more than doing, but a parent may be
 * late to wait for its child. If no child was reaped by wait4, the call's median stands for
 * copying, start, exit and teardown.
 */
#ifndef FORKTAX_ANALYSIS_FORKS_FORK_BREAKDOWN_H
#define FORKTAX_ANALYSIS_FORKS_FORK_BREAKDOWN_H

#include "model/run/run.h"

enum breakdown_line {
#define BREAKDOWN_LINE(id, key, title) BREAKDOWN_##id,
#include "analysis/forks/breakdown_lines.def"
#undef BREAKDOWN_LINE
	BREAKDOWN_LINE_COUNT
};

extern const char *const breakdown_line_titles[BREAKDOWN_LINE_COUNT];

/* Per fork. */
struct breakdown_entry {
	double faults;
	double timed; /* the part in rows with a known mean duration: what ns covers */
	double ns;
	bool known; /* ns is */
};

struct fork_breakdown {
	uint32_t group;
	uint64_t children; /* recorded: what faults are divided by */
	uint64_t complete; /* forks that `whole` is the mean of */
	double forks;	   /* of the group, recorded or not, unfinished children included */
	bool lazy;	   /* ld.so binds symbols in these children */
	double faults;
	double whole; /* ns, if complete */
	bool has_overhead;	/* the overhead is known */
	double overhead;	/* ns; 0: not known */
	double waiting;		/* in lines of the overhead, but not in the overhead, ns */
	double execd_faults_ns; /* time of the faults in BREAKDOWN_EXECD */
	double user_ns;		/* first fault in user mode, since the child's birth; 0: none */
	double fit[PART_COUNT]; /* how much of the time of a part's faults fits into it: 1, unless it is shorter */
	struct breakdown_entry lines[BREAKDOWN_LINE_COUNT];
};

/* False if no child of the group was recorded. Calibrate first: the overhead needs the costs. */
bool fork_breakdown__make(const struct run *run, uint32_t group, struct fork_breakdown *breakdown);

/* Which line has this fault of the breakdown's group, as defined above? */
enum breakdown_line fork_breakdown__line_of(const struct fork_breakdown *breakdown, const struct anatomy *anatomy,
					    const struct anatomy_row *row);

/* How long the faults of that row took, ns per fork: as much as fits into its part; 0: not known. */
double fork_breakdown__ns_of(const struct fork_breakdown *breakdown, const struct anatomy *anatomy,
			     const struct anatomy_row *row);

/* Is this a fault of ld.so in a child that loads an object by dlopen(3)? */
bool fork_breakdown__is_loading(const struct anatomy *anatomy, const struct anatomy_row *row);

/*
 * Is this fault, of the group of that breakdown, part of binding symbols lazily, as defined above?
 */
bool fork_breakdown__is_binding(const struct fork_breakdown *breakdown,
				const struct anatomy *anatomy, const struct anatomy_row *row);

/* Did ld.so bind lazily in the children of the group? */
bool fork_breakdown__binds_lazily(const struct anatomy *anatomy, uint32_t group);

/*
 * How long ld.so works in a child of the group, ns, a mean: its faults and what it computes between
 * them. Needs group and lazy of the breakdown. The faults in user mode are put in order by page; a
 * page of the program among those of binding ends a block. Each block counts from its first fault
 * to the end of its last. So the span includes what the program does without a fault between two
 * bindings, but no gap many times as long as a fault: that is a loop of the program, or waiting. It
 * leaves out what ld.so does after its last fault, and bindings without faults. It
 * passes over pages that not all children touch exactly once ("all": as many as touched the most
 * common page of binding). False, not known, if these are fewer than half of the recorded children.
 */
bool fork_breakdown__binding_span(const struct fork_breakdown *breakdown, const struct run *run, double *ns);

/* Is this code of the linker that runs destructors, when a child leaves by exit(), by glibc's names? NULL: no. */
bool fork_breakdown__runs_destructors(const char *symbol);

#endif
