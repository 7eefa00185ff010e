/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Values measured round by round, and their statistics. Rounds in which other programs had the CPU
 * are left out, but not of CPU time; a comparison leaves out rounds in which either side was disturbed. If fewer than
 * STATS_INTERVAL_MIN quiet rounds remain, all rounds are used and there is no interval.
 */
#ifndef FORKTAX_ANALYSIS_SERIES_H
#define FORKTAX_ANALYSIS_SERIES_H

#include "analysis/faster_half.h"

struct series {
	const double *values; /* one per round; NAN: not known. NULL: there are none */
	const double *others; /* one per round: the share that others had (model/run/others.h); NULL: not known */
	size_t rounds;
};

/* CPU times of the same rounds. They hold no waiting for a CPU: none is left out because others had it. */
struct series series__by_cpu(const struct series *wall, const double *cpu_ns);

/* The known values of the rounds that are used, to be freed; stores how many. */
double *series__values(const struct series *series, size_t *count);
/* How many rounds were disturbed, in this series or, unless it is NULL, in `other`. */
size_t series__disturbed(const struct series *series, const struct series *other);

struct estimate series__median(const struct series *series);
/* As in stats.h. Not known if paired series differ in their number of rounds. */
struct estimate series__ratio(const struct series *top, const struct series *bottom, enum pairing pairing);
struct estimate series__difference(const struct series *left, const struct series *right, enum pairing pairing);

/* How many measurements were disturbed, for reports. */
struct disturbance {
	size_t disturbed, all;
	bool is_unbounded; /* some series has too few undisturbed rounds: all are used, without an interval */
	double busy; /* share of the time of all rounds that others had; 0, NAN: not known */
};

/* Adds the rounds of a series that has values. */
void disturbance__add(struct disturbance *disturbance, const struct series *series);
/* That the machine was busy, in a sentence or two; to be freed; NULL: it was not. */
char *disturbance__words(const struct disturbance *disturbance);

#endif
