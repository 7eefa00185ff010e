/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the times of a sweep stand in a picture: from 0, or logarithmic if they differ much.
 */
#ifndef FORKTAX_REPORT_BENCH_SWEEP_SCALE_H
#define FORKTAX_REPORT_BENCH_SWEEP_SCALE_H

#include "analysis/bench/bench_results.h"

struct sweep_scale {
	double low, high; /* ns; high 0: no time is known */
	bool is_logarithmic;
};

struct sweep_scale sweep_scale__of(const struct bench_analysis *analysis);
/* 0 for the lowest time, 1 for the highest. */
double sweep_scale__height(const struct sweep_scale *scale, double time);
/* The inverse. */
double sweep_scale__time(const struct sweep_scale *scale, double height);

#endif
