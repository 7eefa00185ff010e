// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/explain/timed_runs.h"

#include <math.h>

enum { RUNS_LEAST = 6 };

size_t timed_runs__number(const struct explain_job *job, double round_ns, double patience_ns, size_t most)
{
	if (job->runs_given || !job->rounds.timed)
		return job->rounds.timed;
	return (size_t)fmin(fmax(RUNS_LEAST, patience_ns / round_ns), (double)most);
}

struct series variant__wall(const struct variant *variant)
{
	return (struct series){
		.values = variant->samples_ns,
		.others = variant->others,
		.rounds = variant->sample_count,
	};
}
