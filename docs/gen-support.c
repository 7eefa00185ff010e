// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the table of docs/support.md: what `forktax doctor` tries. */
#include <stdio.h>

#include "source/ebpf/capabilities.h"

int main(void)
{
	puts("| capability | without it | how to get it |\n|---|---|---|");
	for (size_t i = 0; i < capability_count; i++)
		printf("| %s | %s | %s |\n", capabilities[i].name, capabilities[i].cost,
		       capabilities[i].remedy);
	putchar('\n');
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
