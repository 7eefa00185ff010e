/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A process that measures stays on one CPU. To start the child of a fork on an idle CPU takes three times as long as
 * the fork, and whether the kernel does so changes from trial to trial.
 */
#ifndef FORKTAX_CALIBRATE_ONE_CPU_H
#define FORKTAX_CALIBRATE_ONE_CPU_H

#include <sched.h>

/* On the one that it runs on. Where that is refused (a filter of calls), it is not bound. */
static inline void stay_on_this_cpu(void)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

#endif
