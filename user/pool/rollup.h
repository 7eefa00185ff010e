/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the kernel itself sums up of a process's memory (/proc/PID/smaps_rollup, status).
 */
#ifndef FORKTAX_POOL_ROLLUP_H
#define FORKTAX_POOL_ROLLUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct rollup { uint64_t pss_anon, pss_file, pss_shmem, swap_pss, huge; }; /* bytes; ABSENT: not known */

struct rollup rollup__none(void);
void rollup__read(struct rollup *rollup, pid_t pid);

/* What is present, by the kernel's counters (/proc/PID/status): no page is looked at for them. */
struct rss { uint64_t anon, file, shmem; }; /* bytes; ABSENT: not known */

struct rss rss__of(pid_t pid);
uint64_t rss__all(const struct rss *rss); /* as ps(1) has it; ABSENT: not known */
/*
 * While the kernel reads one mapping for smaps_rollup, the process can neither map nor unmap memory. Does that last
 * 50 ms of a CPU at most? `pages_most`: the anonymous pages of the largest mapping.
 */
bool rollup__is_quick(const struct rss *rss, uint64_t pages_most);
/* Do the sums of processes that have so much memory together take more than some two seconds of a CPU? */
bool rollup__is_much(uint64_t rss_bytes);

#endif
