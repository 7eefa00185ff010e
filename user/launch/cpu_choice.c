// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/cpu_choice.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

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

/* "0-3,6", to be freed. */
static char *list_of(const cpu_set_t *set)
{
	char *list = checked_strdup("");

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int first = cpu;

		if (!CPU_ISSET(cpu, set))
			continue;
		while (cpu + 1 < CPU_SETSIZE && CPU_ISSET(cpu + 1, set))
			cpu++;
		text__replace(&list, "%s%s%d", list, *list ? "," : "", first);
		if (cpu > first)
			text__replace(&list, "%s-%d", list, cpu);
	}
	return list;
}

int cpu_choice__parse(const char *text, int *cpu, char **reason)
{
	size_t digits = strspn(text, "0123456789");
	long number = digits && digits < 6 && !text[digits] ? atol(text) : -1;
	cpu_set_t set;
	char *list;

	if (!strcmp(text, "any")) {
		*cpu = CPU_ANY;
		return 0;
	}
	if (!allowed(&set) || (number >= 0 && number < CPU_SETSIZE && CPU_ISSET(number, &set))) {
		*cpu = number;
		return 0;
	}
	list = list_of(&set);
	error__set(reason, "must be any, or a CPU that may be used here: %s", list);
	free(list);
	return -1;
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
