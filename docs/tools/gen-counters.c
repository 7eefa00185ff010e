// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints docs/reference/counters.md from the data dictionary (probes/). */
#include <stdio.h>

#include "model/words/dictionary.h"

int main(void)
{
	puts("<!-- SPDX-License-Identifier: GPL-2.0-or-later -->\n"
	     "<!-- Made from probes/*.def by docs/tools/gen-counters.c; change those, not this file. -->\n"
	     "# Counters\n\n"
	     "Every number that forktax prints or saves, with its exact definition and the place in\n"
	     "the kernel where it is measured. `forktax run --counters` prints the same.\n\n"
	     "On arm64 the software event page-faults stands for page_fault_user and page_fault_kernel\n"
	     "(page_fault_* below). [support.md](support.md) has the machines.");
	for (unsigned int i = 0; i < counter_family_count; i++) {
		const struct counter_family *family = &counter_families[i];

		printf("\n## %s\n\n| key | unit | definition | measured at |\n|---|---|---|---|\n",
		       family->title);
		for (unsigned int j = 0; j < family->count; j++)
			printf("| `%s` | %s | %s | %s |\n", family->counters[j].key,
			       family->counters[j].unit, family->counters[j].definition,
			       family->counters[j].hook);
	}
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
