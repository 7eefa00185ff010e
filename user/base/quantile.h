/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Quantiles of measured values, in two definitions. Of times, which have all values, a quantile lies between its
 * neighbours. Of counts, and of what is kept in buckets, it is a value that really occurred.
 */
#ifndef FORKTAX_BASE_QUANTILE_H
#define FORKTAX_BASE_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* Ascending; NAN is none of the values. */
void quantile__sort(double *values, size_t count);
/*
 * Between the neighbours of place share * (count - 1), counted from 0, in proportion: 0 is the least value, 0.5 the
 * median, 1 the largest. NAN without values, or if one of them is NAN: what is not known is not left out silently.
 */
double quantile__of(const double *values, size_t count, double share);
double quantile__median(const double *values, size_t count);
/* The same of values that are sorted. */
double quantile__of_sorted(const double *sorted, size_t count, double share);
/*
 * The nearest rank, counted from 0: the first in ascending order that so many thousandths of all values do not
 * exceed. Of an even number 500 is the lower of the two in the middle. At least one value; from 1 to 1000 thousandths.
 */
uint64_t quantile__rank(uint64_t count, unsigned int thousandths);

#endif
