/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The one clock of the command that share_accounts.h divides, for all CPUs. It is moved on, with a lock, only where the
 * number of running threads changes. Programs at perf events may use no map that has a lock: so it stands in one of its
 * own, and who only reads goes without. Where others write at that moment, nothing is read.
 */
#pragma once

#include "maps.h"
#include "share_accounts.h"

struct share_lock { struct bpf_spin_lock lock; };

ARRAY_MAP(shares, struct shares, 1);
ARRAY_MAP(share_lock, struct share_lock, 1);

static __always_inline struct shares *find_shares(void)
{
	__u32 only = 0;

	return bpf_map_lookup_elem(&shares, &only);
}

/* The value of `change`; 0: there is no clock. */
#define CHANGE_SHARES(of, change)                                                                  \
	({                                                                                         \
		__u32 only = 0;                                                                    \
		struct shares *of = find_shares();                                                 \
		struct share_lock *lock = bpf_map_lookup_elem(&share_lock, &only);                 \
		__u64 changed = 0;                                                                 \
                                                                                                   \
		if (of && lock) {                                                                  \
			bpf_spin_lock(&lock->lock);                                                \
			__sync_fetch_and_add(&of->version, 1);                                     \
			changed = (change);                                                        \
			__sync_fetch_and_add(&of->version, 1);                                     \
			bpf_spin_unlock(&lock->lock);                                              \
		}                                                                                  \
		changed;                                                                           \
	})

/* The command begins, by its first thread. */
static __always_inline void begin_shares(__u64 now)
{
	CHANGE_SHARES(of, (of->at_ns = now, of->running = 1));
}

/* Threads are attached to, and none is known to run. False: that began before. */
static __always_inline bool begin_window(__u64 now)
{
	return CHANGE_SHARES(of, of->at_ns ? 0 : (of->at_ns = of->idle_since = now));
}

/* So many threads more run from now on. Returns what each has had. `idle`: how long none ran so far. */
static __always_inline __u64 share_and_idle(int more, __u64 now, __u64 *idle)
{
	__u64 none = 0, each = CHANGE_SHARES(of, (change_running(of, more, now), none = of->idle_ns, of->each));

	*idle = none;
	return each;
}

static __always_inline __u64 share_among(int more, __u64 now)
{
	__u64 idle;

	return share_and_idle(more, now, &idle);
}

/* One more runs, since `then`, as it turns out. Returns what each had had before. */
static __always_inline __u64 share_late(__u64 then, __u64 now)
{
	return CHANGE_SHARES(of, join_late(of, then, now));
}

/* The command has ended at `now`. Returns when that is for the shares: somewhat later, if others have run since. */
static __always_inline __u64 end_shares(__u64 now)
{
	return CHANGE_SHARES(of, stop_clock(of, now));
}

/* How the clock is divided by now. False: others write. */
static __always_inline bool read_shares(struct shares *copy, __u64 now)
{
	struct shares *of = find_shares();
	__u64 version = of ? load_in_order(&of->version) : 1;

	if (version & 1)
		return false;
	*copy = *of;
	if (load_in_order(&of->version) != version)
		return false;
	divide_clock(copy, now);
	return true;
}

/* These two: where the clock has just been moved on, or has stopped. */
static __always_inline __u64 idle_so_far(void)
{
	struct shares *of = find_shares();

	return of ? of->idle_ns : 0;
}

static __always_inline __u64 each_so_far(void)
{
	struct shares *of = find_shares();

	return of ? of->each : 0;
}
