// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the table of docs/reference/support.md: what `forktax doctor` tries. */
#include <stdio.h>

#include "pool/pool_capabilities.h"
#include "source/source.h"

static void print(const char *title, const struct capability *capabilities, size_t count)
{
	printf("| capability of %s | without it | how to get it |\n|---|---|---|\n", title);
	for (size_t i = 0; i < count; i++)
		printf("| %s | %s | %s%s%s%s |\n", capabilities[i].name, capabilities[i].cost,
		       capabilities[i].remedy, capabilities[i].command ? ": `" : "",
		       capabilities[i].command ? capabilities[i].command : "",
		       capabilities[i].command ? "`" : "");
	putchar('\n');
}

int main(void)
{
	size_t count;
	const struct capability *capabilities;

	for (size_t i = 0; sources[i]; i++) {
		capabilities = sources[i]->capabilities(&count);
		print(sources[i]->title, capabilities, count);
	}
	capabilities = pool_capabilities__list(&count);
	print("workers", capabilities, count);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
