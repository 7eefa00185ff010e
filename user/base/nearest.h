/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which of several names somebody meant who has typed another one.
 */
#ifndef FORKTAX_BASE_NEAREST_H
#define FORKTAX_BASE_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *typed;
	const char *name; /* the nearest one so far; NULL: none is near */
	int slips; /* letters to insert, delete or replace */
};

/* Is it nearer than those before? Not with more than two slips, unless one contains the other. */
void nearest__try(struct nearest *nearest, const char *name);

#endif
