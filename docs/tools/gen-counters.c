// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints docs/reference/counters.md from the data dictionary (probes/). */
#include <stdio.h>

#include "model/words/dictionary.h"

static const struct {
	const char *title;
	const struct counter *counters;
	unsigned int count;
} families[] = {
	{ "System calls", syscall_counters, SYSCALL_COUNT },
	{ "Page-fault classes", fault_counters, FAULT_COUNT },
	{ "Marks across the classes", mark_counters, MARK_COUNT },
	{ "Actors", actor_counters, ACTOR_COUNT },
	{ "Life cycle", lifecycle_counters, LIFE_COUNT },
	{ "Births", birth_counters, BIRTH_COUNT },
	{ "Phases of the anatomy", phase_counters, PHASE_COUNT },
	{ "Places of the anatomy", place_counters, PLACE_COUNT },
	{ "Parts of a fork", part_counters, PART_COUNT },
	{ "Parts of a tree", tree_counters, TREE_COUNT },
	{ "Phases of a start", start_phase_counters, START_PHASE_COUNT },
	{ "Measured by bench", metric_counters, BENCH_METRIC_COUNT },
	{ "Counted by bench, per operation", per_op_counters, PER_OP_COUNT },
	{ "Integrity", loss_counters, LOSS_COUNT },
};

int main(void)
{
	puts("<!-- SPDX-License-Identifier: GPL-2.0-or-later -->\n"
	     "<!-- Made from probes/*.def by docs/tools/gen-counters.c; change those, not this file. -->\n"
	     "# Counters\n\n"
	     "Every number that forktax prints or saves, with its exact definition and the place in\n"
	     "the kernel where it is measured.\n\n"
	     "On arm64 the software event page-faults stands for page_fault_user and page_fault_kernel\n"
	     "(page_fault_* below). [support.md](support.md) has the machines.");
	for (unsigned int i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		printf("\n## %s\n\n| key | unit | definition | measured at |\n|---|---|---|---|\n",
		       families[i].title);
		for (unsigned int j = 0; j < families[i].count; j++)
			printf("| `%s` | %s | %s | %s |\n", families[i].counters[j].key,
			       families[i].counters[j].unit, families[i].counters[j].definition,
			       families[i].counters[j].hook);
	}
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
