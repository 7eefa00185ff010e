/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A value that was measured or computed, with how far it can be trusted.
 */
#ifndef FORKTAX_MODEL_ESTIMATE_H
#define FORKTAX_MODEL_ESTIMATE_H

#include <stdbool.h>

struct estimate {
	bool known;   /* false: there were no values */
	bool bounded; /* low..high is a 95 % interval that holds the value; false: there is none */
	double value, low, high;
};

/* Without an interval: low and high are the value. */
struct estimate estimate__of(double value);
/* From nothing to that: no more is known, and the value is the end of the interval. */
struct estimate estimate__at_most(double value);
/* Value and interval divided; not known unless the divisor is above 0. */
struct estimate estimate__divide(struct estimate estimate, double divisor);
/* The same with the other sign; never -0. */
struct estimate estimate__negate(struct estimate estimate);
/* Makes the interval hold these as well. */
void estimate__widen(struct estimate *estimate, double low, double high);
/* Value and lower bound are at most this much. The upper bound stays. */
void estimate__lower(struct estimate *estimate, double most);

/* What a measurement shows. */
enum shown {
	SHOWN_UNKNOWN, /* not measured, or too few runs for an interval */
	SHOWN_NOTHING, /* the interval spans both */
	SHOWN_LESS,
	SHOWN_MORE,
};

/* The rule for all intervals. `same` is the value of no difference: 0, of a ratio 1. */
enum shown estimate__shows(const struct estimate *estimate, double same);

#endif
