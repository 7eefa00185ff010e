// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/cpu_choice.h"

#include <sched.h>
#include <stdbool.h>

static bool allowed(cpu_set_t *set)
{
	CPU_ZERO(set);
	return sched_getaffinity(0, sizeof(*set), set) == 0;
}

int cpu_choice__default(void)
{
	cpu_set_t set;
	int last = CPU_ANY;

	for (int cpu = 0; allowed(&set) && cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &set))
			last = cpu;
	}
	return last;
}

int cpu_choice__pin(int cpu)
{
	cpu_set_t set;

	if (cpu == CPU_ANY)
		return 0;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}
