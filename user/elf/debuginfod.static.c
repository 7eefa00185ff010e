// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/debug.h"

#include <stddef.h>

/* In the place of debuginfod.c: the library wants the C library of this machine, which we are not. */
char *debuginfod__fetch(const struct build_id *id)
{
	return NULL;
}
