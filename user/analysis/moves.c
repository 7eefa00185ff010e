// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/moves.h"

#include <math.h>

const char *const compare_move_keys[MOVE_COUNT] = {
	[MOVE_UNKNOWN] = "unknown",   [MOVE_NONE] = "same",
	[MOVE_OTHER] = "other",
	[MOVE_ONE_RUN] = "one run",   [MOVE_FEW] = "few runs",
	[MOVE_NOT_SHOWN] = "not shown", [MOVE_SHOWN] = "shown",
};

struct extremes { double min, max; };

/* NAN: some value is not known. */
static struct extremes extremes_of(const double *values, size_t n)
{
	struct extremes extremes = { INFINITY, -INFINITY };

	for (size_t i = 0; i < n; i++) {
		if (isnan(values[i]))
			return (struct extremes){ NAN, NAN };
		extremes.min = fmin(extremes.min, values[i]);
		extremes.max = fmax(extremes.max, values[i]);
	}
	return extremes;
}

/* In how many of all cases chance puts all of the one side above all of the other, or below. */
static double chance_of_apart(size_t n, size_t m)
{
	double ways = 1;

	for (size_t i = 1; i <= n; i++)
		ways = ways * (double)(m + i) / (double)i;
	return 2 / ways;
}

static bool interval_leaves_out_0(const double *values, size_t n, const double *baseline, size_t m,
				  enum pairing pairing)
{
	struct estimate difference = faster_half__difference(values, n, baseline, m, pairing);

	return estimate__shows(&difference, 0) > SHOWN_NOTHING;
}

enum compare_move compare_move__of(const double *values, size_t n, const double *baseline, size_t m,
				   enum pairing pairing)
{
	struct extremes here = extremes_of(values, n), there = extremes_of(baseline, m);

	if (!n || !m || isnan(here.min) || isnan(there.min))
		return MOVE_UNKNOWN;
	if (here.min == here.max && there.min == there.max && here.min == there.min)
		return MOVE_NONE;
	if (n == 1 || m == 1)
		return MOVE_ONE_RUN;
	if (here.min > there.max || here.max < there.min)
		return chance_of_apart(n, m) < 0.05 ? MOVE_SHOWN : MOVE_FEW;
	if (n == m || pairing == UNPAIRED)
		return interval_leaves_out_0(values, n, baseline, m, pairing) ? MOVE_SHOWN : MOVE_NOT_SHOWN;
	return MOVE_NOT_SHOWN;
}

enum shown count_range__shows(struct count_range now, struct count_range then)
{
	const uint64_t width = then.most - then.least;

	if (now.least > then.most && now.least - then.most > width)
		return SHOWN_MORE;
	if (now.most < then.least && then.least - now.most > width)
		return SHOWN_LESS;
	return SHOWN_NOTHING;
}
