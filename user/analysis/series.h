/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was measured round by round, and what is said of it. Rounds in which others had the CPU are
 * left out, of comparisons where they disturbed either side. If fewer than STATS_INTERVAL_MIN quiet
 * ones are left, all rounds are taken and there is no interval: nothing can be told from them.
 */
#ifndef FORKTAX_ANALYSIS_SERIES_H
#define FORKTAX_ANALYSIS_SERIES_H

#include "analysis/stats.h"

struct series {
	const double *values; /* of each round; NAN: not known. NULL: of none */
	const double *others; /* likewise the share that others had (model/others.h). NULL: not known */
	size_t rounds;
};

/* The known values of the rounds that are taken, to be freed; *count of them. */
double *series__values(const struct series *series, size_t *count);
/* How many rounds were disturbed; with `other` (or NULL), those in which either was. */
size_t series__disturbed(const struct series *series, const struct series *other);

struct estimate series__median(const struct series *series);
/* As in stats.h. Not known if paired series differ in their number of rounds. */
struct estimate series__ratio(const struct series *top, const struct series *bottom,
			      enum pairing pairing);
struct estimate series__difference(const struct series *left, const struct series *right,
				   enum pairing pairing);

/* A tally of measurements, for readers. */
struct disturbance {
	size_t disturbed, all;
	bool is_unbounded; /* of some series too few quiet rounds are left, where all would do */
};

/* Adds the rounds of a series that has values. */
void disturbance__add(struct disturbance *disturbance, const struct series *series);
/* A sentence, to be freed; NULL: nothing was disturbed. */
char *disturbance__words(const struct disturbance *disturbance);

#endif
