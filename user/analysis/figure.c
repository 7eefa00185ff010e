// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/figure.h"

#include <math.h>

struct figure figure__of(double value)
{
	return (struct figure){ .known = true, .value = value, .low = value, .high = value };
}

struct figure figure__of_estimate(struct estimate estimate, double divisor)
{
	return (struct figure){
		.known = estimate.known && divisor > 0,
		.bounded = estimate.bounded,
		.value = estimate.value / divisor,
		.low = estimate.low / divisor,
		.high = estimate.high / divisor,
	};
}

void figure__widen(struct figure *figure, double low, double high)
{
	figure->low = fmin(figure->low, low);
	figure->high = fmax(figure->high, high);
	figure->bounded = figure->low < figure->high;
}
