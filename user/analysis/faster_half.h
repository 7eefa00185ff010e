/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * By how much two lists of times differ: the mean of the faster half of one minus that of the other. What
 * disturbs a run makes it longer, never shorter, so the slower half tells more of the machine than of the program.
 *
 * The interval holds each difference that a randomization test does not refuse: with that difference taken off, the
 * values may have been measured on either side. So it is right for any distribution of them.
 */
#ifndef FORKTAX_ANALYSIS_FASTER_HALF_H
#define FORKTAX_ANALYSIS_FASTER_HALF_H

#include "analysis/stats.h"

/* How two lists of values belong together: their lengths do not tell, so the caller does. */
enum pairing {
	UNPAIRED, /* they do not: other days, other thirds of a measurement */
	PAIRED,	  /* value i of each is from round i: what slowed that round down affects both */
};

/*
 * The difference left - right, and the ratio top / bottom of the two means. Ratios are taken as
 * logarithms: A to B is one by B to A, and so are the ends of its interval.
 *
 * Not known without values, if paired lists differ in length, and, for a ratio, unless all values
 * are above 0. This is the only definition (docs/reference/glossary.md); most callers want series.h, which
 * leaves out disturbed rounds.
 */
struct estimate faster_half__difference(const double *left, size_t n, const double *right, size_t m,
					enum pairing pairing);
struct estimate faster_half__ratio(const double *top, size_t n, const double *bottom, size_t m, enum pairing pairing);

#endif
