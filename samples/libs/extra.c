/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A library as small as libraries are: some code, constants, data with and without relocations. A
 * parent that has loaded it has its five or so mappings, two of them written to, in every fork.
 * forkloop -l N loads it N times, each time as another file.
 */
#include <stdlib.h>

static int counter = 1;
static const char *const names[] = {"one", "two", "three"};

const char *extra__name(unsigned int index)
{
	counter++;
	return index < 3 ? names[index] : getenv("EXTRA");
}

/* Writes to its data, as the start of most libraries does. */
__attribute__((constructor)) static void begin(void)
{
	counter = names[0][0];
}
