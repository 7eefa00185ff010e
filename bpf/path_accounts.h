/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What a thread of the critical path (path.h) waits for, from what is seen of it: it leaves its CPU, it is woken, it is
 * put on a CPU. Threads wait for each other less often than they wait for devices, or for a CPU: such waits are summed
 * up here, and go with the next record of the thread.
 *
 * No names of the kernel's or of libbpf: a unit test leads threads through such lives.
 */
#ifndef FORKTAX_PATH_ACCOUNTS_H
#define FORKTAX_PATH_ACCOUNTS_H

#include "forktax.h"

#define PATH_INLINE static inline __attribute__((always_inline))

enum path_state { PATH_RUNS, PATH_READY, PATH_ASLEEP };

enum path_waker { PATH_NOBODY, PATH_BY_TREE, PATH_BY_DEVICE, PATH_BY_OTHERS };

struct path_thread {
	__u64 number;
	__u64 since; /* in its state; not while it runs */
	__u64 woken_ns;
	__u64 waits[PATH_WAITS]; /* that no record has had */
	__u8 state, waker;
};

PATH_INLINE __u64 path_later(__u64 one, __u64 other)
{
	return one > other ? one : other;
}

/* What woke it is a reason of its own: what it waited for before that, nobody waits for any more. */
PATH_INLINE void forget_waits(struct path_thread *thread)
{
	for (int i = 0; i < PATH_WAITS; i++)
		thread->waits[i] = 0;
}

PATH_INLINE void account_sleep(struct path_thread *thread, __u64 now)
{
	__u64 woken = path_later(thread->woken_ns, thread->since);

	switch (thread->waker) {
	case PATH_NOBODY:
		thread->waits[PATH_WAITS_UNKNOWN] += now - thread->since;
		return;
	case PATH_BY_TREE:
		forget_waits(thread);
		break;
	case PATH_BY_DEVICE:
		thread->waits[PATH_WAITS_DEVICE] += woken - thread->since;
		break;
	case PATH_BY_OTHERS:
		thread->waits[PATH_WAITS_OTHERS] += woken - thread->since;
		break;
	}
	thread->waits[PATH_WAITS_CPU] += now - woken;
}

PATH_INLINE void path_thread_enters(struct path_thread *thread, __u64 now)
{
	if (thread->state == PATH_READY)
		thread->waits[PATH_WAITS_CPU] += now - thread->since;
	else if (thread->state == PATH_ASLEEP)
		account_sleep(thread, now);
	thread->state = PATH_RUNS;
	thread->waker = PATH_NOBODY;
}

/* It runs. If it was not seen to be put on its CPU, that was at `then`, by the kernel's account (unseen_switch.h). */
PATH_INLINE void path_thread_runs(struct path_thread *thread, __u64 then)
{
	if (thread->state == PATH_RUNS)
		return;
	then = path_later(then, thread->since);
	if (thread->waker != PATH_NOBODY)
		then = path_later(then, thread->woken_ns);
	path_thread_enters(thread, then);
}

PATH_INLINE void path_thread_leaves(struct path_thread *thread, bool asleep, __u64 now)
{
	thread->since = now;
	thread->state = asleep ? PATH_ASLEEP : PATH_READY;
}

PATH_INLINE void path_thread_woken(struct path_thread *thread, enum path_waker by, __u64 now)
{
	thread->woken_ns = now;
	thread->waker = by;
}

#endif
