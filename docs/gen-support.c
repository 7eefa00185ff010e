// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the table of docs/support.md: what `forktax doctor` tries. */
#include <stdio.h>

#include "source/source.h"

static void print_source(const struct source *source)
{
	size_t count;
	const struct capability *capabilities = source->capabilities(&count);

	printf("| capability of %s | without it | how to get it |\n|---|---|---|\n", source->title);
	for (size_t i = 0; i < count; i++)
		printf("| %s | %s | %s |\n", capabilities[i].name, capabilities[i].cost,
		       capabilities[i].remedy);
	putchar('\n');
}

int main(void)
{
	for (size_t i = 0; sources[i]; i++)
		print_source(sources[i]);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
