// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/workers/workers_advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/workers/rules_workers.h"
#include "analysis/stats.h"
#include "base/memory.h"
#include "model/fields.h"

static const struct workers_rule {
	const char *id, *title;
	workers_rule_fn *look;
	enum pool_way way;
	const char *untried, *not_for;
} rules[] = {
#define WORKERS_RULE(id, name, title, way, untried, not_for) \
	{ id, title, rule__##name, way, untried, not_for },
#include "advice/workers/rules_workers.def"
#undef WORKERS_RULE
};
enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

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

static double mean_of(const struct pool_sample *sample)
{
	return pool_sample__mean(sample);
}

static double copies_of(const struct pool_sample *sample)
{
	return pool_memory__extra(&sample->loaded);
}

static double new_of(const struct pool_sample *sample)
{
	return sample->loaded.new_bytes;
}

/* Of which there is one page per address, or of which it is not known who shares it. */
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

	if (other && way != POOL_AS_IS)
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

/* MiB as they are printed, so that no zero has a sign. */
static double tenths(const struct estimate *bytes)
{
	const double mib = round(10 * mib__of(bytes->value)) / 10;

	return mib ? mib : 0;
}

/* What a remedy inside the program has saved, by kind; "" where that is not the question. */
static char *kinds_saved(const struct pool_trials *trials, enum pool_way way)
{
	const struct estimate copies = saved(trials, way, copies_of), fresh = saved(trials, way, new_of);
	const struct estimate rest = saved(trials, way, rest_of);

	if (way == POOL_MERGE || way == POOL_REFORK || !copies.known || !fresh.known || !rest.known)
		return checked_strdup("");
	return text__of(". Of what it saved %.1f MiB were copies, %.1f MiB new memory of the workers, and %.1f "
			"MiB other memory", tenths(&copies), tenths(&fresh), tenths(&rest));
}

static char *how_tried(const struct workers *workers, const struct workers_rule *rule,
		       const struct pool_advice *advice, uint64_t worth)
{
	const struct pool_trial *trial = pool_trials__find(workers->trials, rule->way);
	const double change = advice->measured_bytes.value;
	char *kinds, *text;

	if (rule->way == POOL_AS_IS)
		return text__of("no: %s", rule->untried);
	if (!trial)
		return text__of("no: --no-try was given");
	if (!trial->sample_count)
		return text__of("no: %s", trial->failure ? trial->failure : "interrupted before");
	kinds = advice->measured_bytes.known && change >= worth ? kinds_saved(workers->trials, rule->way) :
								   checked_strdup("");
	text = text__of("%zu %s, alternating with the pool as it is%s%s%s%s%s", trial->sample_count,
			trial->sample_count == 1 ? "run" : "runs",
			!advice->measured_bytes.known ? "" :
			fabs(change) < worth	      ? ": it saved nothing here" :
			change < 0		      ? ": it made things worse" : "",
			is_unfinished(trial) ? "; it was not finished when the pool was measured" : "",
			trial->failure ? "; then no more: " : "", trial->failure ? trial->failure : "", kinds);
	free(kinds);
	return text;
}

static void ask(struct workers *workers, const struct workers_rule *rule,
		const struct pool_subject *subject)
{
	struct pool_trials *trials = workers->trials;
	struct pool_advice advice = { 0 };

	if (!rule->look(subject, &advice))
		return;
	advice.rule = checked_strdup(rule->id);
	advice.title = checked_strdup(rule->title);
	advice.not_for = checked_strdup(rule->not_for);
	advice.measured_bytes = saved(trials, rule->way,
				      rule->way == POOL_REFORK ? mean_of : memory_of);
	advice.measured_cpu_ns = saved(trials, rule->way, cpu_of);
	advice.measured_load_ns = saved(trials, rule->way, load_of);
	advice.tried = how_tried(workers, rule, &advice, subject->worth);
	trials->advice = checked_grow(trials->advice, trials->advice_count, sizeof(advice));
	trials->advice[trials->advice_count++] = advice;
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
	const struct worker_pages sum = workers__sum(workers);
	const struct pool_subject subject = subject_of(workers, &sum);

	forget(workers->trials);
	for (size_t i = 0; i < RULE_COUNT; i++)
		ask(workers, &rules[i], &subject);
}

enum pool_way workers_advice__way(const struct pool_advice *advice)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		if (!strcmp(rules[i].id, advice->rule))
			return rules[i].way;
	return POOL_AS_IS;
}
