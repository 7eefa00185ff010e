// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts advice to the test: runs the command alternately unchanged and with each environment setting that
 * some advice names.
 */
#include <math.h>
#include <string.h>

#include "advice/rule.h"
#include "analysis/forks/copied.h"
#include "analysis/same.h"
#include "analysis/series.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/explain/explain_trials.h"
#include "cmd/explain/timed_runs.h"
#include "cmd/variants.h"
#include "launch/launch.h"

static const char interrupted[] = "no: interrupted before";
static const double PATIENCE_NS = 15e9, UNTRACED_PATIENCE_NS = 6e9;
enum { RUNS_MOST = 40, UNTRACED_RUNS = 3 };

/* No setting shifts the stack of its variant. */
static void level_environments(struct trials *trials)
{
	char **environments[VARIANTS_MOST];

	for (size_t i = 0; i < trials->count; i++)
		environments[i] = trials->settings[i].environment;
	environments__level(environments, trials->count);
	for (size_t i = 0; i < trials->count; i++)
		trials->variants[i].environment = trials->settings[i].environment = environments[i];
}

/* Times all variants alternately, then traces them but for the first, which was traced before. */
static int measure(struct trials *trials, int *signal)
{
	struct explain_job *job = trials->job;
	struct rounds rounds = job->rounds;
	double each = (double)trials->run->wall_ns * (double)trials->count;
	int status;

	level_environments(trials);
	rounds.timed = timed_runs__number(job, each, PATIENCE_NS, RUNS_MOST);
	trials->variants[0].is_untraced = true;
	if (!rounds.timed && !rounds.traced)
		return 0;
	status = variants__measure(trials->variants, trials->count, &rounds, signal);
	if (!status)
		variants__warn("explain", trials->variants);
	return status;
}

static struct variant command_of(const struct explain_job *job)
{
	return (struct variant){ .label = job->argv[0], .path = job->path, .argv = job->argv };
}

int explain__time_untraced(struct explain_job *job, struct run *run, int *signal)
{
	struct rounds rounds = job->rounds;
	struct variant variant;
	int status;

	*signal = 0;
	if (!run->bill || !job->argv || job->no_try || !rounds.timed || (double)run->wall_ns > UNTRACED_PATIENCE_NS)
		return 0;
	rounds.timed = (size_t)fmin(UNTRACED_RUNS, UNTRACED_PATIENCE_NS / (double)run->wall_ns);
	rounds.traced = 0;
	variant = command_of(job);
	variant.is_untraced = true;
	status = variants__measure(&variant, 1, &rounds, signal);
	if (variant.sample_count) {
		run->bill->untraced_wall_ns = quantile__median(variant.samples_ns, variant.sample_count);
		run->bill->untraced_cpu_ns = quantile__median(variant.cpu_ns, variant.sample_count);
	}
	variant__release(&variant);
	return *signal ? 0 : status;
}

/* Children of all groups that this rule gives advice on. */
static double children_of_rule(const struct run *run, const struct advice *advice)
{
	const struct anatomy *anatomy = run->anatomy;
	double children = 0;

	for (size_t i = 0; i < anatomy->advice_count; i++) {
		const struct advice *other = &anatomy->advice[i];

		if (!strcmp(other->rule, advice->rule))
			children += (double)(run->groups[other->group].children + run->groups[other->group].unfinished);
	}
	return children;
}

static void free_breakdowns(struct trials *trials, size_t index)
{
	for (size_t i = 0; trials->traced[index] && i < trials->variants[index].run_count; i++)
		fork_breakdowns__free(&trials->traced[index][i]);
	free(trials->traced[index]);
}

/* The faults per fork that are saved, compared with the run in which the advice was found. */
static struct estimate faults_saved(struct trials *trials, uint32_t group, size_t index)
{
	const struct fork_breakdowns *traced = trials__breakdowns(trials, index);
	const struct fork_breakdown *before = fork_breakdowns__find(trials->breakdowns, group);
	size_t runs = trials->variants[index].run_count, count = 0;
	autofree double *values = checked_calloc(runs, sizeof(*values));
	struct estimate result = { 0 };

	for (size_t i = 0; before && i < runs; i++) {
		uint32_t same = same_group__in(traced[i].run, trials->run, group, SAME_PARENT);
		const struct fork_breakdown *now = same == NO_GROUP ? NULL : fork_breakdowns__find(&traced[i], same);

		if (now)
			values[count++] = before->faults - now->faults;
	}
	if (count)
		result = stats__median_estimate(values, count);
	return result;
}

/* Huge pages are only for what malloc returns: where the program maps its memory itself, the trial changes nothing. */
static bool keeps_small_pages(const struct trials *trials, const struct advice *advice, size_t index)
{
	const struct variant *variant = &trials->variants[index];
	const double before = copied__memory(trials->run, advice->group).small;
	uint32_t same;

	if (strcmp(advice->rule, "A7") != 0 || !variant->run_count)
		return false;
	same = same_group__in(variant->runs[0], trials->run, advice->group, SAME_PARENT);
	return same != NO_GROUP && 2 * copied__memory(variant->runs[0], same).small > before;
}

/* Of the run as a whole the wall time counts, not the CPU time. */
static void collect_run(struct trials *trials)
{
	struct run *run = trials->run;

	for (size_t i = 0; i < run->advice_count; i++) {
		const size_t index = trials__find(trials, advice__way(&run->advice[i]));

		if (index)
			trials__note(trials, &run->advice[i], index, (struct estimate){ 0 }, false, 1);
	}
}

static void collect(struct trials *trials)
{
	struct anatomy *anatomy = trials->run->anatomy;

	for (size_t i = 0; i < anatomy->advice_count; i++) {
		struct advice *advice = &anatomy->advice[i];
		size_t index = trials__find(trials, advice__way(advice));

		if (index && keeps_small_pages(trials, advice, index))
			advice->tried = text__of("no: with %s the memory stays in small pages, as malloc has not "
						 "returned it", trials->settings[index].entry);
		else if (index)
			trials__note(trials, advice, index, faults_saved(trials, advice->group, index),
				     trials__have_cpu_time(trials, advice->group),
				     children_of_rule(trials->run, advice));
	}
}

static void add_forks(struct trials *trials)
{
	const struct explain_job *job = trials->job;
	const struct anatomy *anatomy = trials->run->anatomy;

	for (size_t i = 0; !job->no_try && i < anatomy->advice_count; i++)
		if (advice__way(&anatomy->advice[i]))
			trials__add(trials, advice__way(&anatomy->advice[i]));
}

static void release(struct trials *trials)
{
	for (size_t i = 0; i < trials->count; i++) {
		free_breakdowns(trials, i);
		variant__release(&trials->variants[i]);
		setting__release(&trials->settings[i]);
	}
}

static void say_untried_of(struct advice *list, size_t count, const char *why)
{
	for (size_t i = 0; i < count; i++)
		if (!list[i].tried)
			list[i].tried = checked_strdup(why);
}

/* Says of all other advice why it was not tried. */
static void say_untried(struct run *run, const char *why)
{
	say_untried_of(run->anatomy->advice, run->anatomy->advice_count, why);
	say_untried_of(run->advice, run->advice_count, why);
	if (run->start)
		say_untried_of(run->start->advice, run->start->advice_count, why);
}

int explain__try(struct explain_job *job, struct run *run, const struct fork_breakdowns *breakdowns, int *signal)
{
	struct trials trials = { .job = job, .run = run, .breakdowns = breakdowns, .count = 1 };
	int status = 0;

	if (!job->argv || *signal) {
		say_untried(run, *signal ? interrupted : "no: it takes another start of the program");
		return 0;
	}
	trials.variants[0] = command_of(job);
	if (!job->no_try)
		status = trials__add_probed(&trials, signal);
	if (!status && !*signal)
		add_forks(&trials);
	if (!status && !*signal && trials.count > 1)
		status = measure(&trials, signal);
	if (*signal)
		status = 0; /* the results so far are worth showing */
	if (!status) {
		collect(&trials);
		collect_run(&trials);
		trials__note_start(&trials);
		say_untried(run, *signal ? interrupted : "no: --no-try was given");
	}
	release(&trials);
	return status;
}
