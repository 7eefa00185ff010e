// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/bench/sweep_scale.h"

#include <math.h>

/* From this factor on, a linear scale would press most points to the bottom. */
static const double logarithmic_from = 8;

struct sweep_scale sweep_scale__of(const struct bench_analysis *analysis)
{
	struct sweep_scale scale = { 0 };
	double least = INFINITY;

	for (size_t i = 0; i < analysis->bench->cell_count; i++) {
		const struct estimate *time = &analysis->cells[i].metrics[BENCH_METRIC_TIME];

		if (!time->known)
			continue;
		least = fmin(least, time->value);
		scale.high = fmax(scale.high, time->value);
	}
	scale.is_logarithmic = scale.high > logarithmic_from * least;
	scale.low = scale.is_logarithmic ? least : 0;
	return scale;
}

double sweep_scale__height(const struct sweep_scale *scale, double time)
{
	if (scale->high <= scale->low)
		return 0;
	if (scale->is_logarithmic)
		return log(time / scale->low) / log(scale->high / scale->low);
	return (time - scale->low) / (scale->high - scale->low);
}

double sweep_scale__time(const struct sweep_scale *scale, double height)
{
	if (scale->is_logarithmic)
		return scale->low * pow(scale->high / scale->low, height);
	return scale->low + height * (scale->high - scale->low);
}
