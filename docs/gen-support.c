// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the table of docs/support.md: what `forktax doctor` tries. */
#include <stdio.h>

#include "source/source.h"

int main(void)
{
	size_t count;
	const struct capability *capabilities = sources[0]->capabilities(&count);

	puts("| capability | without it | how to get it |\n|---|---|---|");
	for (size_t i = 0; i < count; i++)
		printf("| %s | %s | %s |\n", capabilities[i].name, capabilities[i].cost,
		       capabilities[i].remedy);
	putchar('\n');
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
