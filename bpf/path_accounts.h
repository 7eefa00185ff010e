/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What a thread of the critical path (path.h) waits for, from what is seen of it: it leaves its CPU, it is woken, it is
 * put on a CPU. Threads wait for each other less often than they wait for devices, or for a CPU: such waits are summed
 * up here, and go with the next record of the thread. Beside them stands how much of each was idle: no thread of the
 * tree ran (share_accounts.h). That is the difference of a clock which goes on only then.
 *
 * No names of the kernel's or of libbpf: a unit test leads threads through such lives.
 */
#pragma once

#include "share_accounts.h"

enum path_state { PATH_RUNS, PATH_READY, PATH_ASLEEP };

enum path_waker { PATH_NOBODY, PATH_BY_TREE, PATH_BY_DEVICE, PATH_BY_OTHERS };

/* What a clock says of a thread. */
struct path_clock {
	__u64 since; /* in its state; not while it runs */
	__u64 woken;
	__u64 waits[PATH_WAITS]; /* that no record has had */
};

struct path_thread {
	__u64 number;
	struct path_clock wall, idle;
	__u8 state, waker;
};

struct path_time { __u64 ns, idle; };

/* What woke it is a reason of its own: what it waited for before that, nobody waits for any more. */
ACCOUNTS_INLINE void forget_waits(struct path_thread *thread)
{
	for (int i = 0; i < PATH_WAITS; i++)
		thread->wall.waits[i] = thread->idle.waits[i] = 0;
}

/* Of what was idle, some may turn out later to have been a thread's (share_accounts.h): that clock may go back. */
ACCOUNTS_INLINE void account_sleep(struct path_clock *clock, __u8 waker, __u64 now)
{
	__u64 woken = later_of(clock->woken, clock->since);

	switch (waker) {
	case PATH_NOBODY:
		clock->waits[PATH_WAITS_UNKNOWN] += more_than(now, clock->since);
		return;
	case PATH_BY_DEVICE:
		clock->waits[PATH_WAITS_DEVICE] += more_than(woken, clock->since);
		break;
	case PATH_BY_OTHERS:
		clock->waits[PATH_WAITS_OTHERS] += more_than(woken, clock->since);
		break;
	}
	clock->waits[PATH_WAITS_CPU] += more_than(now, woken);
}

ACCOUNTS_INLINE void account_wait(struct path_clock *clock, const struct path_thread *thread, __u64 now)
{
	if (thread->state == PATH_READY)
		clock->waits[PATH_WAITS_CPU] += more_than(now, clock->since);
	else if (thread->state == PATH_ASLEEP)
		account_sleep(clock, thread->waker, now);
}

ACCOUNTS_INLINE void path_thread_enters(struct path_thread *thread, struct path_time now)
{
	if (thread->state == PATH_ASLEEP && thread->waker == PATH_BY_TREE)
		forget_waits(thread);
	account_wait(&thread->wall, thread, now.ns);
	account_wait(&thread->idle, thread, now.idle);
	thread->state = PATH_RUNS;
	thread->waker = PATH_NOBODY;
}

/* It runs. If it was not seen to be put on its CPU, that was at `then`, by the kernel's account (tree.h). */
ACCOUNTS_INLINE void path_thread_runs(struct path_thread *thread, struct path_time then)
{
	if (thread->state == PATH_RUNS)
		return;
	then.ns = later_of(then.ns, thread->wall.since);
	if (thread->waker != PATH_NOBODY)
		then.ns = later_of(then.ns, thread->wall.woken);
	path_thread_enters(thread, then);
}

ACCOUNTS_INLINE void path_thread_leaves(struct path_thread *thread, bool asleep, struct path_time now)
{
	thread->wall.since = now.ns;
	thread->idle.since = now.idle;
	thread->state = asleep ? PATH_ASLEEP : PATH_READY;
}

ACCOUNTS_INLINE void path_thread_woken(struct path_thread *thread, enum path_waker by, struct path_time now)
{
	thread->wall.woken = now.ns;
	thread->idle.woken = now.idle;
	thread->waker = by;
}
