// SPDX-License-Identifier: GPL-2.0-or-later
/* Puts advice for a start, or for the whole run, to the test, in the same rounds as all other advice. */
#include <string.h>

#include "advice/rule.h"
#include "advice/run/runtimes.h"
#include "analysis/stats.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/explain/explain_trials.h"
#include "cmd/variants.h"

/*
 * Why it would tell nothing; NULL: it can be tried. A script that names python in its first line takes options for its
 * own. To be freed.
 */
static char *why_untried(const struct explain_job *job, const char *way)
{
	return *way != '-' || runtime__takes(text__file_name(job->argv[0]), way)
		       ? NULL
		       : text__of("no: the command is a script: try it as python %s %s", way, job->argv[0]);
}

/* Runs each variant but the first once. */
static int probe_all(struct trials *probe, int *signal)
{
	struct rounds once = probe->job->rounds;

	once.timed = 0;
	once.traced = 1;
	once.ignore_failure = true;
	return variants__measure(probe->variants + 1, probe->count - 1, &once, signal);
}

static void judge(struct trials *trials, const struct trials *probe, struct advice *advice)
{
	const char *way = advice__way(advice);
	const size_t index = trials__find(probe, way);

	if (!index || !probe->variants[index].run_count)
		return;
	if (trials__end_alike(trials, &probe->variants[index]))
		trials__add(trials, way);
	else
		trials__note_other_end(advice, way);
}

static void release(struct trials *probe)
{
	for (size_t i = 0; i < probe->count; i++) {
		variant__release(&probe->variants[i]);
		setting__release(&probe->settings[i]);
	}
}

static void add_ways(struct trials *probe, struct advice *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *way = advice__way(&list[i]);

		if (!way)
			continue;
		list[i].tried = why_untried(probe->job, way);
		if (!list[i].tried)
			trials__add(probe, way);
	}
}

int trials__add_probed(struct trials *trials, int *signal)
{
	struct run *run = trials->run;
	struct start *start = run->start;
	struct trials probe = { .job = trials->job, .run = run, .count = 1 };
	int status = 0;

	probe.variants[0] = trials->variants[0];
	add_ways(&probe, run->advice, run->advice_count);
	if (start)
		add_ways(&probe, start->advice, start->advice_count);
	if (probe.count > 1)
		status = probe_all(&probe, signal);
	for (size_t i = 0; !status && i < run->advice_count; i++)
		judge(trials, &probe, &run->advice[i]);
	for (size_t i = 0; !status && start && i < start->advice_count; i++)
		judge(trials, &probe, &start->advice[i]);
	release(&probe);
	return status;
}

/* Faults of the first image less than in the run that was explained. */
static struct estimate faults_saved(const struct trials *trials, const struct variant *variant)
{
	autofree double *values = checked_calloc(variant->run_count, sizeof(*values));
	struct estimate result = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < variant->run_count; i++) {
		const struct image *image = run__first_image(variant->runs[i]);

		if (image)
			values[count++] = (double)trials->run->start->image_faults - (double)image->faults.total;
	}
	if (count)
		result = stats__median_estimate(values, count);
	return result;
}

/* CPU time holds that of children only if they were waited for: with children, it is wall time. */
void trials__note_start(struct trials *trials)
{
	struct start *start = trials->run->start;
	const bool by_cpu = !trials->run->totals[LIFE_FORKS];

	for (size_t i = 0; start && i < start->advice_count; i++) {
		struct advice *advice = &start->advice[i];
		const size_t index = trials__find(trials, advice__way(advice));

		if (index)
			trials__note(trials, advice, index, faults_saved(trials, &trials->variants[index]), by_cpu, 1);
	}
}
