// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the JSON schema of a saved format: gen-schema forktax-bench/1. Without one, lists them. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "saved/saved.h"

int main(int argc, char **argv)
{
	bool found = argc == 1;

	for (int family = 0; family < SAVED_FAMILY_COUNT; family++) {
		const char *name = saved__schema_name(family);

		if (argc == 1) {
			puts(name);
		} else if (!strcmp(argv[1], name)) {
			saved__write_schema(family, stdout);
			found = true;
		}
	}
	return !found || ferror(stdout) || fflush(stdout) ? 1 : 0;
}
