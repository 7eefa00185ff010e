// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/estimate.h"

#include <math.h>

struct estimate estimate__of(double value)
{
	return (struct estimate){ .known = true, .value = value, .low = value, .high = value };
}

struct estimate estimate__at_most(double value)
{
	return (struct estimate){ .known = true, .bounded = true, .value = value, .high = value };
}

struct estimate estimate__divide(struct estimate estimate, double divisor)
{
	return (struct estimate){
		.known = estimate.known && divisor > 0,
		.bounded = estimate.bounded,
		.value = estimate.value / divisor,
		.low = estimate.low / divisor,
		.high = estimate.high / divisor,
	};
}

struct estimate estimate__negate(struct estimate estimate)
{
	double low = estimate.low;

	estimate.value = 0 - estimate.value;
	estimate.low = 0 - estimate.high;
	estimate.high = 0 - low;
	return estimate;
}

enum shown estimate__shows(const struct estimate *estimate, double same)
{
	if (!estimate->known || !estimate->bounded)
		return SHOWN_UNKNOWN;
	if (estimate->high < same)
		return SHOWN_LESS;
	return estimate->low > same ? SHOWN_MORE : SHOWN_NOTHING;
}

void estimate__widen(struct estimate *estimate, double low, double high)
{
	estimate->low = fmin(estimate->low, low);
	estimate->high = fmax(estimate->high, high);
	estimate->bounded = estimate->low < estimate->high;
}

void estimate__lower(struct estimate *estimate, double most)
{
	estimate->value = fmin(estimate->value, most);
	estimate->low = fmin(estimate->low, most);
}
