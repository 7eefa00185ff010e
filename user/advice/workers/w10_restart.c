// SPDX-License-Identifier: GPL-2.0-or-later
/* W10: what new workers would have, by how the pool grew while its load ran. */
#include <math.h>

#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

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
static double ending(const struct pool_subject *subject, double period)
{
	const uint64_t faults = subject->sample->end_faults;
	const double bytes = faults == ABSENT ? 0 : (double)faults * subject->state->machine.page_bytes;

	return bytes * fmin(SECOND_NS, period) / period;
}

/* What workers had copied by the time when the load began: it may have begun long after they were looked at. */
static double copied_before(const struct pool_sample *sample)
{
	const uint64_t looked_at = pool_memory__bytes(&sample->ready);
	const double grown = looked_at == ABSENT ? 0 : sample->course[0].bytes - (double)looked_at;

	return pool_memory__extra(&sample->ready) + fmax(0, grown);
}

bool rule__w10_restart(const struct pool_subject *subject, struct advice *advice)
{
	const struct pool_sample *sample = subject->sample;
	const struct pool_moment *course = sample->course;
	const double period = subject->state->trials->restart_ns, mean = pool_sample__mean(sample);
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
		"While the load ran, the pool had %s on average: %s at first, %s at the end. In "
		"the %s in which it grew most, it had %s more on average than before them.",
		quantity__size(mean).text, quantity__size(course[0].bytes).text,
		quantity__size(course[sample->course_count - 1].bytes).text,
		quantity__time(period).text, quantity__size(most).text);
	advice->action = text__of(
		"Retire workers after some requests or some time, and fork new ones (gunicorn "
		"--max-requests, or SIGHUP to it; puma: refork; uwsgi: max-requests). The saving here "
		"is an average over time, with new workers every %s.", quantity__time(period).text);
	if (ending(subject, period) >= subject->worth)
		text__replace(&advice->evidence,
			      "%s Workers that end touch up to %s (W8), so new ones may cost "
			      "more than they save.", advice->evidence,
			      quantity__size((double)sample->end_faults * subject->state->machine.page_bytes).text);
	advice->predicted_bytes = estimate__of(saved);
	estimate__widen(&advice->predicted_bytes, saved - ending(subject, period), saved);
	/* What workers had copied before the load, new ones copy at once, or not at all. */
	estimate__widen(&advice->predicted_bytes, saved, saved + copied_before(sample));
	if (most > AS_AT_BEGINNING * first + subject->worth)
		estimate__widen(&advice->predicted_bytes, 0, mean - course[0].bytes - first);
	return true;
}
