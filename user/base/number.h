/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers as people type them. The whole text has to be the number: no blanks, no sign, no hex, no
 * "1e3abc"; what strtoul() and strtod() tolerate is a typing error here.
 */
#ifndef FORKTAX_BASE_NUMBER_H
#define FORKTAX_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Decimal digits that make a number of least..most. Nothing is stored otherwise. */
bool number__whole(const char *text, uint64_t least, uint64_t most, uint64_t *number);
/* Finite, decimal, >= 0. Nothing is stored otherwise. */
bool number__decimal(const char *text, double *number);

#endif
