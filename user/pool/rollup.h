/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the kernel itself sums up of a process's memory (/proc/PID/smaps_rollup).
 */
#ifndef FORKTAX_POOL_ROLLUP_H
#define FORKTAX_POOL_ROLLUP_H

#include <stdint.h>
#include <sys/types.h>

struct rollup {
	uint64_t pss_anon, pss_file, pss_shmem, swap_pss, huge; /* bytes; ABSENT: not known */
};

void rollup__read(struct rollup *rollup, pid_t pid);

#endif
