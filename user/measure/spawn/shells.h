/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shells that are installed here.
 */
#ifndef FORKTAX_MEASURE_SPAWN_SHELLS_H
#define FORKTAX_MEASURE_SPAWN_SHELLS_H

#include <stddef.h>

/* Their paths, to be freed each and the array; none: NULL. */
char **shells__installed(size_t *count);
/* What /bin/sh is, to be freed; NULL: there is none. */
char *shells__of_system(void);

#endif
