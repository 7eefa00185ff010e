/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The CPU time of a thread by part of its life (tree.h), made to agree with the kernel's own sum (sum_exec_runtime).
 *
 * That sum is up to date only at sched_switch. It has neither what a hypervisor took away nor, on some kernels,
 * interrupts, and the clock has both: what is too much is taken from the parts between two sched_switch (a slice), in
 * proportion. Some of a slice may be out of reach by then: a fork call's time has gone to the child, or a program to
 * its sums. What so cannot be taken from the slice is taken from the next ones, and at the thread's end from all that
 * its image has.
 *
 * No names of the kernel's or of libbpf: a unit test goes through lives of threads whose CPU is taken away at any time.
 */
#pragma once

#include "share_accounts.h"

#define TREE_ROOM	16 /* a power of two, for the verifier */
_Static_assert(TREE_COUNT <= TREE_ROOM, "an index below TREE_ROOM is one of a part");

struct tree_accounts {
	__u64 on_ns; /* since when its time on a CPU is not accounted; 0: it does not run */
	__u64 part_ns; /* since when it is in its part */
	__u64 cpu[TREE_ROOM], wall[TREE_ROOM];
	__u64 slice[TREE_ROOM]; /* of `cpu`, since it was put on its CPU: never more */
	__u64 slice_ns; /* all of it */
	__u64 slice_sum; /* the kernel's sum before that, as far as the parts have it */
	__u64 share[TREE_ROOM]; /* of the clock of the command (share_accounts.h) */
	__u64 each, shared; /* what each running thread has had by now, and when it was accounted last */
	__u8 part;
};

/* Who reads what each has had may be ahead of who has divided it last. */
ACCOUNTS_INLINE void account_share(struct tree_accounts *of)
{
	__s64 more = of->each - of->shared;

	if (more <= 0)
		return;
	of->share[of->part & (TREE_ROOM - 1)] += more;
	of->shared = of->each;
}

ACCOUNTS_INLINE void account(struct tree_accounts *of, __u64 now)
{
	__u64 ns = now - of->on_ns;

	if (!of->on_ns)
		return;
	account_share(of);
	of->cpu[of->part & (TREE_ROOM - 1)] += ns;
	of->slice[of->part & (TREE_ROOM - 1)] += ns;
	of->slice_ns += ns;
	of->on_ns = now;
}

/* It runs. If it was not seen to be put on its CPU, that was at `then`, by the kernel's account (tree.h). */
ACCOUNTS_INLINE void keep_running(struct tree_accounts *of, __u64 then)
{
	if (!of->on_ns)
		of->on_ns = later_of(then, of->part_ns);
}

ACCOUNTS_INLINE void change_part(struct tree_accounts *of, enum tree_part part, __u64 now)
{
	account(of, now);
	of->wall[of->part & (TREE_ROOM - 1)] += now - of->part_ns;
	of->part_ns = now;
	of->part = part;
}

/* Takes as much of an excess from each part as its share of these amounts is. Returns what could not be taken. */
ACCOUNTS_INLINE __s64 take_excess(__u64 *cpu, const __u64 *amounts, __u64 total, __s64 excess)
{
	__s64 left = excess;

	for (int part = 0; part < TREE_COUNT; part++) {
		__s64 ns = amounts[part], more;

		if (!ns)
			continue;
		more = excess * (__s64)((amounts[part] << 10) / total) >> 10;
		more = more < ns ? more : ns;
		cpu[part] -= more;
		left -= more;
	}
	return left;
}

/* What has been accounted of the slice stays as it is. */
ACCOUNTS_INLINE void cut_slice(struct tree_accounts *of)
{
	of->slice_sum += of->slice_ns;
	of->slice_ns = 0;
	for (int part = 0; part < TREE_COUNT; part++)
		of->slice[part] = 0;
}

/* The thread leaves its CPU: the parts get what the kernel has counted, whose sum that is. */
ACCOUNTS_INLINE void correct_slice(struct tree_accounts *of, __u64 sum)
{
	__s64 excess = of->slice_ns - (sum - of->slice_sum);

	if (of->slice_ns)
		excess = take_excess(of->cpu, of->slice, of->slice_ns, excess);
	if (!of->slice_ns && excess < 0) { /* nobody knows when it was put on its CPU */
		of->cpu[of->part & (TREE_ROOM - 1)] -= excess;
		excess = 0;
	}
	cut_slice(of);
	of->slice_sum = sum + excess;
}

/* The thread runs no more: what no slice had enough of is taken from all parts. */
ACCOUNTS_INLINE void close_accounts(struct tree_accounts *of, __u64 sum)
{
	__s64 excess = of->slice_sum - sum;
	__u64 total = 0;

	for (int part = 0; part < TREE_COUNT; part++)
		total += of->cpu[part];
	if (excess > 0 && total)
		of->slice_sum = sum + take_excess(of->cpu, of->cpu, total, excess);
}

/* What is moved is what came last. */
ACCOUNTS_INLINE void move_cpu(struct tree_accounts *of, enum tree_part from, enum tree_part to, __u64 ns)
{
	__u64 of_slice = ns < of->slice[from] ? ns : of->slice[from];

	of->cpu[from] -= ns;
	of->cpu[to] += ns;
	of->slice[from] -= of_slice;
	of->slice[to] += of_slice;
}

/* ... to the accounts of another thread, which do not run. */
ACCOUNTS_INLINE void give_cpu(struct tree_accounts *of, struct tree_accounts *to, enum tree_part part, __u64 ns)
{
	__u64 of_slice = ns < of->slice[part] ? ns : of->slice[part];

	of->cpu[part] -= ns;
	to->cpu[part] += ns;
	of->slice[part] -= of_slice;
	of->slice_ns -= of_slice;
	of->slice_sum += of_slice;
}
