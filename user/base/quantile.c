// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

void quantile__sort(double *values, size_t count)
{
	if (count)
		qsort(values, count, sizeof(*values), ascending);
}

double quantile__of_sorted(const double *sorted, size_t count, double share)
{
	const double place = count ? share * (double)(count - 1) : 0;
	const size_t below = (size_t)place;
	const size_t above = below + 1 < count ? below + 1 : below;

	return count ? sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]) : NAN;
}

double quantile__of(const double *values, size_t count, double share)
{
	autofree double *sorted = NULL;

	for (size_t i = 0; i < count; i++)
		if (isnan(values[i]))
			return NAN;
	sorted = checked_calloc(count, sizeof(*sorted));
	memcpy(sorted, values, count * sizeof(*sorted));
	quantile__sort(sorted, count);
	return quantile__of_sorted(sorted, count, share);
}

double quantile__median(const double *values, size_t count)
{
	return quantile__of(values, count, 0.5);
}

uint64_t quantile__rank(uint64_t count, unsigned int thousandths)
{
	return (uint64_t)(((__uint128_t)count * thousandths + 999) / 1000) - 1;
}
