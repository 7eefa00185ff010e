// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/explained.h"

#include <math.h>

/* Of the dearest class of faults, with the page table that it may need. */
static double fault_cost(const struct estimate costs[COST_COUNT])
{
	double most = 0;

	for (int cost = COST_COPY; cost <= COST_FILE_COPY; cost++)
		most = fmax(most, costs[cost].known ? costs[cost].high : 0);
	return most + (costs[COST_PAGE_TABLE].known ? costs[COST_PAGE_TABLE].high : 0);
}

/* Caches that are colder than where costs were calibrated, and work that others disturb. */
static const double margin = 2;

double explained__most(double faults, double lookups, const struct estimate costs[COST_COUNT])
{
	if (!costs[COST_COPY].known || !costs[COST_SYMBOL].known)
		return NAN;
	return margin * (faults * fault_cost(costs) + lookups * costs[COST_SYMBOL].high);
}

bool explained__is_exceeded(const struct estimate *difference, double most)
{
	return difference->low > most || difference->high < -most;
}
