// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/workers/workers_advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/rule.h"
#include "advice/workers/rules_workers.h"
#include "analysis/stats.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "model/rows/fields.h"

/* Does a worker map a file whose name begins so? */
static bool maps_file(const struct workers *workers, const char *begin)
{
	for (size_t i = 0; i < workers->mapping_count; i++) {
		const char *name = workers->mappings[i].name;

		if (name && *name == '/' &&
		    !strncmp(text__file_name(name), begin, strlen(begin)))
			return true;
	}
	return false;
}

/* A figure of a sample; NAN: not known. */
typedef double sample_fn(const struct pool_sample *sample);

static double memory_of(const struct pool_sample *sample)
{
	uint64_t bytes = pool_memory__bytes(&sample->loaded);

	return bytes == ABSENT ? NAN : (double)bytes;
}

static double copies_of(const struct pool_sample *sample)
{
	return pool_memory__extra(&sample->loaded);
}

static double new_of(const struct pool_sample *sample)
{
	return sample->loaded.new_bytes;
}

/* There is one page of it per address, or it is unknown who shares it. */
static double rest_of(const struct pool_sample *sample)
{
	return memory_of(sample) - copies_of(sample) - new_of(sample);
}

static double cpu_of(const struct pool_sample *sample)
{
	const double own = sample->cpu_ns == ABSENT ? NAN : (double)sample->cpu_ns;

	return own + (sample->ksmd_ns == ABSENT ? 0 : (double)sample->ksmd_ns);
}

static double load_of(const struct pool_sample *sample)
{
	return (double)sample->load_ns;
}

/* As it is - that way, by rounds that both have. */
static struct estimate saved(const struct pool_trials *trials, enum pool_way way, sample_fn *figure)
{
	const struct pool_trial *as_is = &trials->list[0], *other = pool_trials__find(trials, way);
	size_t rounds = 0, known = 0;
	double *left, *right;
	struct estimate result;

	if (other)
		rounds = other->sample_count < as_is->sample_count ? other->sample_count :
								    as_is->sample_count;
	left = checked_calloc(rounds, sizeof(*left));
	right = checked_calloc(rounds, sizeof(*right));
	for (size_t i = 0; i < rounds; i++) {
		left[known] = figure(&as_is->samples[i]);
		right[known] = figure(&other->samples[i]);
		known += !isnan(left[known]) && !isnan(right[known]);
	}
	result = stats__difference(left, known, right, known, PAIRED);
	free(left);
	free(right);
	return result;
}

static struct pool_subject subject_of(const struct workers *workers, const struct worker_pages *sum)
{
	const struct pool_trials *trials = workers->trials;
	const struct pool_sample *sample = &trials->list[0].samples[0];

	return (struct pool_subject){
		.state = workers,
		.sum = sum,
		.sample = sample,
		.worth = pool_trials__worth(trials),
		.python = maps_file(workers, "python3") || maps_file(workers, "libpython3"),
		.ruby = maps_file(workers, "ruby") || maps_file(workers, "libruby"),
		.glibc = maps_file(workers, "libc.so.6"),
		.freeze = saved(trials, POOL_FREEZE, memory_of),
	};
}

static bool is_unfinished(const struct pool_trial *trial)
{
	for (size_t i = 0; i < trial->sample_count; i++)
		if (trial->samples[i].unfinished)
			return true;
	return false;
}

/* What a remedy inside the program has saved, by kind; "" where that is not the question. */
static char *kinds_saved(const struct pool_trials *trials, enum pool_way way)
{
	const struct estimate copies = saved(trials, way, copies_of), fresh = saved(trials, way, new_of);
	const struct estimate rest = saved(trials, way, rest_of);

	if (way == POOL_MERGE || way == POOL_RESTART || !copies.known || !fresh.known ||
	    !rest.known)
		return checked_strdup("");
	return text__of(". Of what it saved %s were copies, %s new memory of the workers, and %s other "
			"memory", quantity__size(copies.value).text,
			quantity__size(fresh.value).text,
			quantity__size(rest.value).text);
}

static const char *verdict(const struct advice *advice, const struct pool_trial *trial, uint64_t worth)
{
	const double change = advice->measured_bytes.value;

	if (!advice->measured_bytes.known)
		return "";
	if (change <= -(double)worth)
		return ": it made things worse";
	return change < worth && !is_unfinished(trial) ? ": it saved nothing here" : "";
}

/* Of a rule that can be tried. */
static char *how_tried(const struct workers *workers, const struct advice *advice, enum pool_way way,
		       uint64_t worth)
{
	const struct pool_trial *trial = pool_trials__find(workers->trials, way);
	char *kinds, *text;
	bool has_saved;

	if (!trial)
		return text__of("no: --no-try was given");
	if (!trial->sample_count)
		return text__of("no: %s", trial->failure ? trial->failure : "interrupted before");
	has_saved = advice->measured_bytes.known && advice->measured_bytes.value >= worth;
	kinds = has_saved ? kinds_saved(workers->trials, way) : checked_strdup("");
	text = text__of("%s, alternating with the pool as it is%s%s%s%s%s",
			quantity__count(trial->sample_count, "run", "runs").text,
			verdict(advice, trial, worth),
			is_unfinished(trial) ? "; the kernel was still merging pages when the pool was "
					       "measured, so it may save more (--wait)" :
					       "",
			trial->failure ? "; then no more: " : "", trial->failure ? trial->failure : "", kinds);
	free(kinds);
	return text;
}

static void take_trial(const struct workers *workers, struct advice *advice, uint64_t worth)
{
	const struct pool_trials *trials = workers->trials;
	const enum pool_way way = workers_advice__way(advice);

	if (way == POOL_AS_IS)
		return;
	advice->measured_bytes = saved(trials, way, way == POOL_RESTART ? pool_sample__mean : memory_of);
	advice->measured_cpu_ns = saved(trials, way, cpu_of);
	advice->measured_load_ns = saved(trials, way, load_of);
	advice->tried = how_tried(workers, advice, way, worth);
}

static void forget(struct pool_trials *trials)
{
	for (size_t i = 0; i < trials->advice_count; i++)
		shape__release(&pool_advice_shape, &trials->advice[i]);
	free(trials->advice);
	trials->advice = NULL;
	trials->advice_count = 0;
}

void workers_advice__find(struct workers *workers)
{
	struct pool_trials *trials = workers->trials;
	const struct worker_pages sum = workers__sum(workers);
	const struct pool_subject subject = subject_of(workers, &sum);
	const struct rule_question question = {
		.about = ABOUT_WORKERS,
		.subject = &subject,
		.group = NO_GROUP,
	};

	forget(trials);
	rules__ask(&question, &trials->advice, &trials->advice_count);
	for (size_t i = 0; i < trials->advice_count; i++)
		take_trial(workers, &trials->advice[i], subject.worth);
}

enum pool_way workers_advice__way(const struct advice *advice)
{
	const struct rule *rule = rule__of(advice);

	for (int way = 0; rule && rule->way && way < POOL_WAYS; way++)
		if (!strcmp(pool_way_keys[way], rule->way))
			return way;
	return POOL_AS_IS;
}
