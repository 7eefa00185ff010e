/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The values of -p and --duration.
 */
#ifndef FORKTAX_ATTACH_OPTIONS_H
#define FORKTAX_ATTACH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of seconds above zero, fractions allowed. */
bool parse_seconds(const char *text, uint64_t *ns);
/* Adds the process ids of a list "1,2,3" to an array that is to be freed. */
bool parse_pids(const char *list, int32_t **pids, size_t *count);

#endif
