// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice put to the test: the command as it is, and once more for each setting of the environment
 * that some advice names, in turns; and the other executable of --against.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/advice.h"
#include "analysis/fork_bill.h"
#include "analysis/stats.h"
#include "cmd/common.h"
#include "cmd/explain_job.h"
#include "elf/checked.h"

/* Without -n, trying takes about as long as this, but at least so many rounds. */
static const double PATIENCE_NS = 30e9;
enum { RUNS_LEAST = 5, TRIES_MOST = 8 };

/* The first variant is the command as it is. */
struct trials {
	struct explain_job *job;
	struct run *run;
	struct variant variants[TRIES_MOST + 1];
	struct setting settings[TRIES_MOST + 1];
	const char *entries[TRIES_MOST + 1]; /* NULL: as it is */
	size_t count;
};

static void add_try(struct trials *trials, const char *entry)
{
	struct variant *variant = &trials->variants[trials->count];

	for (size_t i = 1; i < trials->count; i++)
		if (!strcmp(trials->entries[i], entry))
			return;
	if (trials->count > TRIES_MOST)
		return;
	setting__make(&trials->settings[trials->count], entry);
	trials->entries[trials->count] = entry;
	*variant = trials->variants[0];
	variant->label = entry;
	variant->environment = trials->settings[trials->count].environment;
	trials->count++;
}

static size_t find(const struct trials *trials, const char *entry)
{
	for (size_t i = 1; entry && i < trials->count; i++)
		if (!strcmp(trials->entries[i], entry))
			return i;
	return 0;
}

/* Timed in turns, all of them; then traced, all but the first, which was traced before. */
static int measure(struct trials *trials)
{
	struct explain_job *job = trials->job;
	struct rounds rounds = job->rounds;
	double each = (double)trials->run->wall_ns * (double)trials->count;
	int status;

	if (!job->runs_given && each * (double)rounds.timed > PATIENCE_NS)
		rounds.timed = (size_t)fmax(RUNS_LEAST, PATIENCE_NS / each);
	rounds.variants = trials->variants;
	rounds.count = trials->count;
	rounds.traced = 0;
	status = rounds.timed ? rounds__measure(&rounds) : 0;
	if (status)
		return status;
	rounds.variants++;
	rounds.count--;
	rounds.traced = job->rounds.traced;
	rounds.timed = 0;
	return rounds.traced ? rounds__measure(&rounds) : 0;
}

/* Children of all groups to which the rule of this advice has something to say. */
static double children_of_rule(const struct run *run, const struct advice *advice)
{
	const struct anatomy *anatomy = run->anatomy;
	double children = 0;

	for (size_t i = 0; i < anatomy->advice_count; i++) {
		const struct advice *other = &anatomy->advice[i];

		if (!strcmp(other->rule, advice->rule))
			children += (double)(run->groups[other->group].children +
					     run->groups[other->group].unfinished);
	}
	return children;
}

static struct figure figure_of(struct estimate estimate, double divisor)
{
	return (struct figure){
		.known = estimate.known && divisor > 0,
		.bounded = estimate.bounded,
		.value = estimate.value / divisor,
		.low = estimate.low / divisor,
		.high = estimate.high / divisor,
	};
}

static bool same_text(const char *left, const char *right)
{
	return left && right ? !strcmp(left, right) : left == right;
}

static const char *exe_path(const struct run *run, uint32_t exe)
{
	return exe < run->exe_count ? run->exes[exe].path : NULL;
}

/* The group of another run of the command that is alike; NO_GROUP. */
static uint32_t same_group(const struct run *run, uint32_t group, const struct run *other)
{
	const struct group *wanted = &run->groups[group];

	for (uint32_t i = 0; i < other->group_count; i++) {
		const struct group *found = &other->groups[i];

		if (found->birth == wanted->birth &&
		    same_text(exe_path(other, found->parent_exe), exe_path(run, wanted->parent_exe)) &&
		    (found->fate_exe == NO_EXE) == (wanted->fate_exe == NO_EXE) &&
		    same_text(exe_path(other, found->fate_exe), exe_path(run, wanted->fate_exe)))
			return i;
	}
	return NO_GROUP;
}

/* Faults per fork less than in the run that the advice was found in. */
static struct figure faults_saved(const struct run *run, uint32_t group,
				  const struct variant *variant)
{
	double *values = checked_calloc(variant->run_count, sizeof(*values));
	struct figure result = { 0 };
	struct fork_bill bill, now;
	size_t count = 0;

	for (size_t i = 0; i < variant->run_count; i++) {
		const struct run *other = variant->runs[i];
		uint32_t index = same_group(run, group, other);

		if (index != NO_GROUP && other->anatomy && fork_bill__make(run, group, &bill) &&
		    fork_bill__make(other, index, &now))
			values[count++] = bill.faults - now.faults;
	}
	if (count)
		result = figure_of(stats__median_estimate(values, count), 1);
	free(values);
	return result;
}

/*
 * CPU time, as other processes disturb it least; but a child that nobody waited for is not in it,
 * and then wall time is what there is.
 */
static bool has_cpu_time(const struct run *run, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);

	return cost && cost->complete && 10 * cost->complete >= 9 * cost->forks;
}

static struct figure time_saved(const struct trials *trials, const struct advice *advice,
				size_t index, bool by_cpu)
{
	const struct variant *base = &trials->variants[0], *variant = &trials->variants[index];
	const double *before = by_cpu ? base->cpu_ns : base->samples_ns;
	const double *after = by_cpu ? variant->cpu_ns : variant->samples_ns;

	return figure_of(stats__difference_estimate(before, base->sample_count, after,
						    variant->sample_count),
			 children_of_rule(trials->run, advice));
}

static void note_result(const struct trials *trials, struct advice *advice, size_t index)
{
	const struct variant *variant = &trials->variants[index];
	bool by_cpu = has_cpu_time(trials->run, advice->group);
	char *how;

	advice->measured_faults = faults_saved(trials->run, advice->group, variant);
	if (variant->sample_count)
		advice->measured_ns = time_saved(trials, advice, index, by_cpu);
	if (asprintf(&how, "%s: %s time of %zu runs each way in turns, faults of %zu traced ones",
		     trials->settings[index].entry, by_cpu ? "CPU" : "wall", variant->sample_count,
		     variant->run_count) < 0)
		how = NULL;
	advice->tried = checked(how);
}

static void collect(struct trials *trials)
{
	struct anatomy *anatomy = trials->run->anatomy;

	for (size_t i = 0; i < anatomy->advice_count; i++) {
		struct advice *advice = &anatomy->advice[i];
		size_t index = find(trials, advice__environment(advice));

		if (index)
			note_result(trials, advice, index);
	}
}

int explain__try(struct explain_job *job, struct run *run)
{
	struct anatomy *anatomy = run->anatomy;
	struct trials trials = { .job = job, .run = run, .count = 1 };
	int status = 0;

	trials.variants[0] = (struct variant){
		.label = job->argv[0],
		.path = job->path,
		.argv = job->argv,
	};
	for (size_t i = 0; !job->no_try && i < anatomy->advice_count; i++) {
		const char *entry = advice__environment(&anatomy->advice[i]);

		if (entry)
			add_try(&trials, entry);
	}
	if (trials.count > 1) {
		status = measure(&trials);
		if (!status)
			collect(&trials);
	}
	for (size_t i = 0; i < trials.count; i++) {
		variant__release(&trials.variants[i]);
		setting__release(&trials.settings[i]);
	}
	return status;
}
