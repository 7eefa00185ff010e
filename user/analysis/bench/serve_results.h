/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What another model of serving would save of a load that the user knows: pure arithmetic of the
 * CPU times per request of a bench serve. "As it is now" is a fork per connection, in the first
 * linkage: row 0 and column 0.
 */
#ifndef FORKTAX_ANALYSIS_BENCH_SERVE_RESULTS_H
#define FORKTAX_ANALYSIS_BENCH_SERVE_RESULTS_H

#include "analysis/bench/bench_results.h"

/* From this share on a saving is said to matter. */
#define SERVE_MATTERS 0.05

struct serve_question {
	double rate; /* requests per second; NAN: not given */
	double cpu_ns; /* CPU time of one as it is served now; NAN: not given */
};

/* From the settings of a bench. False: none were given, or the load in the file is invalid. */
bool serve_question__of(const struct bench *bench, struct serve_question *question);
/* CPUs kept busy; NAN: not given. */
double serve_question__busy(const struct serve_question *question);

struct serve_answer {
	/* Of CPU per request; below 0: it costs more. Not known: no figures. */
	struct estimate saving_ns;
	bool is_shown; /* the interval does not span 0; false too without an interval */
	double of_request; /* saving by cpu_ns; NAN: not given */
	double of_cpu; /* CPUs saved at that rate; NAN: not given */
	/*
	 * When the saving matters, that is, makes up SERVE_MATTERS: of one CPU from this many requests per second
	 * on; of a request if that takes less CPU time than this. NAN unless the saving is shown.
	 */
	double from_rate, below_cpu_ns;
};

/* Has it what the question needs: a measured row of forks, with CPU times? */
bool serve_answer__possible(const struct bench *bench);
struct serve_answer serve_answer__of(const struct bench *bench,
				     const struct serve_question *question, size_t cell);

#endif
