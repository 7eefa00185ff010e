// SPDX-License-Identifier: GPL-2.0-or-later
/* W10: what new workers would have, by how the pool grew while its load ran. */
#include <math.h>

#include "advice/workers/rules_workers.h"

static const double SECOND_NS = 1e9;

/* Faster than this against the beginning: then it is not known what new workers would do. */
static const double AS_AT_BEGINNING = 1.1;

/* Mean of the pool's memory from one moment on for that long, beyond what it was then. */
static double growth(const struct pool_sample *sample, size_t first, double ns)
{
	const struct pool_moment *course = sample->course;
	double sum = 0;
	size_t count = 0;

	for (size_t i = first; i < sample->course_count && course[i].ns <= course[first].ns + ns; i++) {
		sum += course[i].bytes;
		count++;
	}
	return sum / count - course[first].bytes;
}

/*
 * Workers that end may touch all they have, beside the new ones: for a second of each period, say, as nobody has
 * measured how long.
 */
static double ending(const struct pool_sample *sample, double period)
{
	const double bytes = sample->end_faults == ABSENT ? 0 : (double)sample->end_faults * PAGE_BYTES;

	return bytes * fmin(SECOND_NS, period) / period;
}

bool rule__w10_refork(const struct pool_subject *subject, struct pool_advice *advice)
{
	const struct pool_sample *sample = subject->sample;
	const struct pool_moment *course = sample->course;
	const double period = subject->state->trials->refork_ns, mean = pool_sample__mean(sample);
	double first, most, saved;

	if (sample->course_count < 8 || !period || isnan(mean))
		return false;
	first = most = growth(sample, 0, period);
	for (size_t i = 1; i < sample->course_count && course[i].ns + period <= sample->load_ns; i++)
		most = fmax(most, growth(sample, i, period));
	saved = mean - course[0].bytes - most;
	if (saved < subject->worth)
		return false;
	advice->evidence = text__of(
		"While the load ran, the pool had %.1f MiB on average: %.1f at first, %.1f at the end. In "
		"the %.1f s in which it grew most, it had %.1f MiB more on average than before them.",
		mib__of(mean), mib__of(course[0].bytes),
		mib__of(course[sample->course_count - 1].bytes), period / 1e9, mib__of(most));
	advice->action = text__of(
		"Retire workers after some requests or some time, and fork new ones (gunicorn "
		"--max-requests, or SIGHUP to it; puma: refork; uwsgi: max-requests). The saving here "
		"is an average over time, with new workers every %.1f s.", period / 1e9);
	if (ending(sample, period) >= subject->worth)
		text__replace(&advice->evidence,
			      "%s Workers that end touch up to %.1f MiB (W8), so new ones may cost "
			      "more than they save.", advice->evidence,
			      mib__of((double)sample->end_faults * PAGE_BYTES));
	advice->predicted_bytes = estimate__of(saved);
	estimate__widen(&advice->predicted_bytes, saved - ending(sample, period), saved);
	/* What workers had copied before the load, new ones copy at once, or not at all. */
	estimate__widen(&advice->predicted_bytes, saved,
			saved + pool_memory__extra(&sample->ready));
	if (most > AS_AT_BEGINNING * first + subject->worth)
		estimate__widen(&advice->predicted_bytes, 0, mean - course[0].bytes - first);
	return true;
}
