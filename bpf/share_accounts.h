/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The clock of a command, divided among the threads of its tree: each moment equally among those that run in it. A
 * moment in which none runs is idle. So the shares of all threads and the idle time add up to the clock, however many
 * threads run beside each other (docs/use/bill.md).
 *
 * `each` grows by dt/n while n threads run: what it has grown by while a thread runs is the share of that thread.
 *
 * No names of the kernel's or of libbpf: a unit test goes through lives of threads.
 */
#pragma once

#include "forktax.h"

#define ACCOUNTS_INLINE static inline __attribute__((always_inline))

ACCOUNTS_INLINE __u64 later_of(__u64 one, __u64 other)
{
	return one > other ? one : other;
}

/* How much more it is than before: a correction may have made it less. */
ACCOUNTS_INLINE __u64 more_than(__u64 now, __u64 before)
{
	return now > before ? now - before : 0;
}

struct shares {
	__u64 at_ns; /* up to which the clock is divided */
	__u64 each; /* what a thread would have that has run all the time, of 2^-SHARE_BITS ns */
	__u64 idle_ns;
	__u64 idle_since; /* since when none runs; where one does: of no meaning */
	__u32 running;
	__u32 rest; /* of the last division */
	__u64 version; /* odd: they change */
};

ACCOUNTS_INLINE void divide_clock(struct shares *of, __u64 now)
{
	__u64 ns = now - of->at_ns, units;

	if (now <= of->at_ns) /* another CPU was here first */
		return;
	of->at_ns = now;
	if (!of->running) {
		of->idle_ns += ns;
		return;
	}
	units = (ns << SHARE_BITS) + of->rest;
	of->each += units / of->running;
	of->rest = units % of->running;
}

/* So many threads more run from now on. */
ACCOUNTS_INLINE void change_running(struct shares *of, int more, __u64 now)
{
	divide_clock(of, now);
	of->running += more;
	if (!of->running)
		of->idle_since = of->at_ns;
}

/*
 * One more thread runs, and has since `then`, which was not seen (tree.h). It gets what was taken for idle
 * since, up to `now`. Where another thread was seen to run meanwhile, that one has had it all. Returns from what on
 * `each` grows for it.
 */
ACCOUNTS_INLINE __u64 join_late(struct shares *of, __u64 then, __u64 now)
{
	__u64 each, ns;

	divide_clock(of, now);
	each = of->each;
	if (!of->running && now == of->at_ns) {
		ns = more_than(now, later_of(then, of->idle_since));
		ns = ns < of->idle_ns ? ns : of->idle_ns;
		of->idle_ns -= ns;
		of->each += ns << SHARE_BITS;
	}
	of->running++;
	return each;
}

/* The clock stops: at `now`, or where it has been read already, which is returned. */
ACCOUNTS_INLINE __u64 stop_clock(struct shares *of, __u64 now)
{
	__u64 end;

	divide_clock(of, now);
	end = of->at_ns;
	of->at_ns = ~0ull;
	return end;
}
