// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/workers_try.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/workers/workers_advice.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/print.h"
#include "launch/child.h"
#include "measure/pool/pool_round.h"
#include "report/workers/workers_trials.h"

enum { REFORKS = 4 }; /* generations of workers while the load runs */

struct job {
	const struct workers_try *try;
	struct pool_plan plan;
	struct interrupt interrupt;
	struct workers *workers; /* the state that is reported, with trials */
	struct pool_remedy remedies[POOL_WAYS]; /* by trial */
	bool shows; /* how far it is */
};

static int status_of(enum pool_outcome outcome)
{
	switch (outcome) {
	case POOL_REFUSED:
		return EXIT_REFUSED;
	case POOL_LOAD_MISSING:
		return EXIT_MISSING;
	default:
		return EXIT_FORKTAX;
	}
}

static void show(const struct job *job, enum pool_way way, size_t round)
{
	if (job->shows)
		fprintf(stderr, "\rround %zu of %" PRIu64 ": %s\033[K", round + 1, job->try->runs,
			workers_trials__way(way));
}

static void add_trial(struct pool_trials *trials, enum pool_way way, char *failure)
{
	trials->list = checked_grow(trials->list, trials->count, sizeof(*trials->list));
	trials->list[trials->count++] = (struct pool_trial){ .way = way, .failure = failure };
}

static void add_sample(struct pool_trial *trial, const struct pool_sample *sample)
{
	trial->samples = checked_grow(trial->samples, trial->sample_count, sizeof(*sample));
	trial->samples[trial->sample_count++] = *sample;
}

static struct pool_trials *new_trials(const struct job *job)
{
	struct pool_trials *trials = checked_calloc(1, sizeof(*trials));

	trials->load = checked_strdup(job->try->load);
	trials->command = text__copy_list(job->plan.argv);
	trials->command_count = text__list_length(job->plan.argv);
	trials->rounds = job->try->runs;
	trials->refork = job->try->refork ? checked_strdup(job->try->refork) : NULL;
	add_trial(trials, POOL_AS_IS, NULL);
	return trials;
}

/* The pool as it is, which has to work. 0, or the exit status after a complaint. */
static int look(struct job *job)
{
	const struct pool_remedy none = { .way = POOL_AS_IS };
	struct pool_sample sample;
	enum pool_outcome outcome;
	char *reason;

	show(job, POOL_AS_IS, 0);
	outcome = pool_round__run(&job->plan, &none, &job->interrupt, &sample, &job->workers, &reason);
	if (job->shows)
		bench_progress__clear();
	if (outcome == POOL_INTERRUPTED)
		return complain("workers", EXIT_FORKTAX, "interrupted before the first run was complete");
	if (outcome != POOL_DONE) {
		complain("workers", 0, "%s", reason);
		free(reason);
		return status_of(outcome);
	}
	job->workers->trials = new_trials(job);
	job->workers->trials->refork_ns = sample.load_ns / REFORKS;
	job->plan.refork_ns = sample.load_ns / REFORKS;
	add_sample(&job->workers->trials->list[0], &sample);
	return 0;
}

/* A trial for each way that some advice names. */
static void plan_trials(struct job *job)
{
	struct pool_trials *trials = job->workers->trials;

	for (size_t i = 0; i < trials->advice_count; i++) {
		enum pool_way way = workers_advice__way(&trials->advice[i]);
		char *reason = NULL;

		if (way == POOL_AS_IS || pool_trials__find(trials, way))
			continue;
		if (way == POOL_REFORK && !job->try->refork)
			reason = text__of("--restart, the command that makes the pool restart its "
					  "workers, was not given");
		else if (!pool_remedy__prepare(&job->remedies[trials->count], way, &reason))
			reason = NULL;
		add_trial(trials, way, reason);
	}
}

/* False: a signal came. A way that fails is not tried again. */
static bool run_trial(struct job *job, size_t index, size_t round)
{
	struct pool_trial *trial = &job->workers->trials->list[index];
	struct pool_sample sample;
	struct workers *state = NULL;
	enum pool_outcome outcome;
	char *reason;

	if (trial->failure || trial->sample_count > round)
		return true;
	show(job, trial->way, round);
	outcome = pool_round__run(&job->plan, &job->remedies[index], &job->interrupt, &sample, &state,
				  &reason);
	workers__free(state);
	if (outcome == POOL_INTERRUPTED)
		return false;
	if (outcome == POOL_DONE)
		add_sample(trial, &sample);
	else
		trial->failure = reason;
	return true;
}

/* In turns, so that what changes on the machine meanwhile changes for all. */
static void run_rounds(struct job *job)
{
	const struct pool_trials *trials = job->workers->trials;

	for (size_t round = 0; round < job->try->runs; round++)
		for (size_t i = 0; i < trials->count; i++)
			if (!run_trial(job, i, round))
				return;
}

static int run(struct job *job)
{
	int status = look(job);

	if (status)
		return status;
	workers_advice__find(job->workers);
	if (job->try->no_try)
		return 0;
	plan_trials(job);
	run_rounds(job);
	if (job->shows)
		bench_progress__clear();
	workers_advice__find(job->workers);
	return 0;
}

int workers_try__run(const struct workers_try *try, char **argv,
		     const struct report_options *display)
{
	struct job job = {
		.try = try,
		.plan = { .argv = argv, .load = try->load, .ready = try->ready, .wait_ns = try->wait_ns,
			  .refork = try->refork },
		.shows = bench_progress__is_wanted(display),
	};
	char *path;
	int signal, status = find_command("workers", argv[0], &path);

	if (status)
		return status;
	job.plan.path = path;
	child__adopt_orphans();
	interrupt__begin(&job.interrupt);
	status = run(&job);
	signal = interrupt__came(&job.interrupt);
	interrupt__end(&job.interrupt);
	for (size_t i = 0; i < POOL_WAYS; i++)
		pool_remedy__release(&job.remedies[i]);
	if (!status && signal)
		complain("workers", 0, "interrupted: these are the runs that were complete");
	if (!status)
		status = print_workers("workers", job.workers, display);
	workers__free(job.workers);
	free(path);
	return signal ? die_like(signal) : status;
}
