// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advice put to the test: the command as it is, and once more for each setting of the environment
 * that some advice names, in turns; and the other executable of --against.
 */
#include <math.h>
#include <string.h>

#include "advice/advice.h"
#include "analysis/figure.h"
#include "analysis/forks/same_group.h"
#include "analysis/series.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/common.h"
#include "cmd/explain_trials.h"

/* Without -n there are as many timed rounds as this time allows, within bounds. */
static const double PATIENCE_NS = 15e9;
enum { RUNS_LEAST = 6, RUNS_MOST = 40 };

static void add_try(struct trials *trials, const char *entry)
{
	struct setting *setting = &trials->settings[trials->count];

	for (size_t i = 1; i < trials->count; i++)
		if (!strcmp(trials->entries[i], entry))
			return;
	if (trials->count > TRIES_MOST)
		return;
	setting__make(setting, entry);
	trials->entries[trials->count] = entry;
	trials->variants[trials->count] = trials->variants[0];
	trials->variants[trials->count].label = entry;
	trials->variants[trials->count].environment = setting->environment;
	trials->count++;
}

static size_t find(const struct trials *trials, const char *entry)
{
	for (size_t i = 1; entry && i < trials->count; i++)
		if (trials->entries[i] && !strcmp(trials->entries[i], entry))
			return i;
	return 0;
}

/*
 * Timed in turns, all of them; then traced, all but the first, which was traced before: unless it is
 * to be compared line by line.
 */
static int measure(struct trials *trials)
{
	struct explain_job *job = trials->job;
	struct rounds rounds = job->rounds;
	double each = (double)trials->run->wall_ns * (double)trials->count;
	int status;

	if (!job->runs_given && rounds.timed)
		rounds.timed = (size_t)fmin(fmax(RUNS_LEAST, PATIENCE_NS / each), RUNS_MOST);
	rounds.variants = trials->variants;
	rounds.count = trials->count;
	rounds.traced = 0;
	status = rounds.timed ? rounds__measure(&rounds) : 0;
	if (status)
		return status;
	if (!trials->against) {
		rounds.variants++;
		rounds.count--;
	}
	rounds.traced = job->rounds.traced;
	rounds.timed = 0;
	rounds.no_aslr = true; /* as at the first look */
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

const struct fork_bills *trials__bills(struct trials *trials, size_t index)
{
	const struct variant *variant = &trials->variants[index];
	struct fork_bills *bills = trials->traced[index];

	if (bills)
		return bills;
	bills = checked_calloc(variant->run_count, sizeof(*bills));
	for (size_t i = 0; i < variant->run_count; i++)
		bills[i] = fork_bills__of(variant->runs[i]);
	return trials->traced[index] = bills;
}

static void free_bills(struct trials *trials, size_t index)
{
	for (size_t i = 0; trials->traced[index] && i < trials->variants[index].run_count; i++)
		fork_bills__free(&trials->traced[index][i]);
	free(trials->traced[index]);
}

/* Faults per fork less than in the run that the advice was found in. */
static struct figure faults_saved(struct trials *trials, uint32_t group, size_t index)
{
	const struct fork_bills *traced = trials__bills(trials, index);
	const struct fork_bill *before = fork_bills__find(trials->bills, group);
	size_t runs = trials->variants[index].run_count, count = 0;
	double *values = checked_calloc(runs, sizeof(*values));
	struct figure result = { 0 };

	for (size_t i = 0; before && i < runs; i++) {
		uint32_t same = same_group__in(traced[i].run, trials->run, group, SAME_PARENT);
		const struct fork_bill *now =
			same == NO_GROUP ? NULL : fork_bills__find(&traced[i], same);

		if (now)
			values[count++] = before->faults - now->faults;
	}
	if (count)
		result = figure__of_estimate(stats__median_estimate(values, count), 1);
	free(values);
	return result;
}

bool trials__have_cpu_time(const struct trials *trials, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(trials->run->anatomy, group);

	return cost && cost->complete && 10 * cost->complete >= 9 * cost->forks;
}

static struct series series_of(const struct variant *variant, bool by_cpu)
{
	return (struct series){
		.values = by_cpu ? variant->cpu_ns : variant->samples_ns,
		.others = variant->others,
		.rounds = variant->sample_count,
	};
}

struct figure trials__time_saved(const struct trials *trials, size_t index, bool by_cpu,
				 double forks)
{
	const struct series before = series_of(&trials->variants[0], by_cpu);
	const struct series after = series_of(&trials->variants[index], by_cpu);

	return figure__of_estimate(series__difference(&before, &after, PAIRED), forks);
}

/* " (without 2 in which others had the CPU)", or nothing; to be freed. */
static char *disturbance(const struct trials *trials, size_t index)
{
	const struct series before = series_of(&trials->variants[0], false);
	const struct series after = series_of(&trials->variants[index], false);
	size_t disturbed = series__disturbed(&before, &after);
	bool left_out = before.rounds - disturbed >= STATS_INTERVAL_MIN;

	if (!disturbed)
		return checked_strdup("");
	return text__of(" (%s %zu in which others had the CPU)",
			left_out ? "without" : "no interval:", disturbed);
}

char *trials__how(const struct trials *trials, size_t index, const char *what, bool by_cpu)
{
	const struct variant *variant = &trials->variants[index];
	const char *clock = by_cpu ? "CPU" : "wall";
	char *disturbed, *how;

	if (!variant->sample_count)
		return text__of("%s: faults of %zu traced runs", what, variant->run_count);
	disturbed = disturbance(trials, index);
	how = text__of("%s: %s time of %zu runs each way in turns%s", what, clock,
		       variant->sample_count, disturbed);
	if (variant->run_count)
		text__replace(&how, "%s, faults of %zu traced ones", how, variant->run_count);
	free(disturbed);
	return how;
}

/* Failures may be ignored (-i); but a run that ends in another way has not done the same work. */
static bool ended_alike(const struct trials *trials, const struct variant *variant)
{
	for (size_t i = 0; i < variant->run_count; i++)
		if (variant->runs[i]->status != trials->run->status ||
		    variant->runs[i]->signal != trials->run->signal)
			return false;
	return true;
}

static void note_result(struct trials *trials, struct advice *advice, size_t index)
{
	const struct variant *variant = &trials->variants[index];
	const char *entry = trials->settings[index].entry;
	bool by_cpu = trials__have_cpu_time(trials, advice->group);

	if (!ended_alike(trials, variant)) {
		advice->tried = text__of("%s: the command ends in another way then", entry);
		return;
	}
	advice->measured_faults = faults_saved(trials, advice->group, index);
	if (variant->sample_count)
		advice->measured_ns = trials__time_saved(trials, index, by_cpu,
							  children_of_rule(trials->run, advice));
	advice->tried = trials__how(trials, index, entry, by_cpu);
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

static void prepare(struct trials *trials)
{
	struct explain_job *job = trials->job;
	struct anatomy *anatomy = trials->run->anatomy;

	trials->count = 1;
	trials->variants[0] = (struct variant){
		.label = job->argv[0],
		.path = job->path,
		.argv = job->argv,
	};
	for (size_t i = 0; !job->no_try && i < anatomy->advice_count; i++) {
		const char *entry = advice__environment(&anatomy->advice[i]);

		if (entry)
			add_try(trials, entry);
	}
	if (job->against)
		trials__add_against(trials);
}

static void release(struct trials *trials)
{
	for (size_t i = 0; i < trials->count; i++) {
		free_bills(trials, i);
		variant__release(&trials->variants[i]);
		setting__release(&trials->settings[i]);
	}
	free(trials->argv);
}

/* What could have been tried, but was not. */
static void say_untried(struct anatomy *anatomy, const char *why)
{
	for (size_t i = 0; i < anatomy->advice_count; i++)
		if (!anatomy->advice[i].tried)
			anatomy->advice[i].tried = checked_strdup(why);
}

int explain__try(struct explain_job *job, struct run *run, const struct fork_bills *bills)
{
	struct trials trials = { .job = job, .run = run, .bills = bills };
	int status = 0;

	if (!job->argv) {
		say_untried(run->anatomy, "no: it takes another start of the program");
		return 0;
	}
	prepare(&trials);
	if (trials.count > 1)
		status = measure(&trials);
	if (!status) {
		collect(&trials);
		say_untried(run->anatomy, "no: trying was ruled out by --no-try");
	}
	if (!status && trials.against)
		trials__note_against(&trials);
	release(&trials);
	return status;
}
