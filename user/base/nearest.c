// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/nearest.h"

#include <string.h>

enum { LONGEST_NAME = 32, SLIPS_MOST = 2, SHORTEST_PART = 3 };

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Levenshtein's distance, one row of the matrix at a time. */
static int distance(const char *from, const char *to)
{
	int row[LONGEST_NAME + 1];
	int length = strlen(to);

	if (length > LONGEST_NAME)
		return LONGEST_NAME;
	for (int j = 0; j <= length; j++)
		row[j] = j;
	for (int i = 1; from[i - 1]; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= length; j++) {
			int replaced = diagonal + (from[i - 1] != to[j - 1]);

			diagonal = row[j];
			row[j] = smaller(replaced, smaller(row[j], row[j - 1]) + 1);
		}
	}
	return row[length];
}

/* "syscalls" for calls. */
static int is_part(const char *a, const char *b)
{
	return (strlen(a) >= SHORTEST_PART && strstr(b, a)) || (strlen(b) >= SHORTEST_PART && strstr(a, b));
}

void nearest__try(struct nearest *nearest, const char *name)
{
	int slips = distance(name, nearest->typed);

	if (slips > SLIPS_MOST && is_part(name, nearest->typed))
		slips = SLIPS_MOST;
	if (slips > SLIPS_MOST || (nearest->name && slips >= nearest->slips))
		return;
	nearest->name = name;
	nearest->slips = slips;
}
