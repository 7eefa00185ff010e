/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory that lives as long as the block that it is declared in: `autofree char *text = ...;` is freed wherever
 * the block is left. Not for what is handed on. It needs a value when it is declared.
 */
#ifndef FORKTAX_BASE_AUTOFREE_H
#define FORKTAX_BASE_AUTOFREE_H

#include <stdlib.h>
#include <string.h>

static inline void autofree__free(const void *variable)
{
	void *memory;

	memcpy(&memory, variable, sizeof(memory));
	free(memory);
}

#define autofree __attribute__((cleanup(autofree__free)))

#endif
