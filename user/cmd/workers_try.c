// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/workers_try.h"

#include <stdlib.h>

#include "advice/workers/workers_advice.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/print.h"
#include "launch/interrupt.h"
#include "measure/pool/pool_rounds.h"

enum { RESTARTS = 4 }; /* generations of workers while the load runs */

struct job {
	const struct workers_try *try;
	struct pool_plan plan;
	struct pool_rounds rounds; /* of the plan, with the state that is reported */
	struct pool_remedy remedies[POOL_WAYS]; /* by trial */
	struct interrupt interrupt;
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

static void add_trial(struct pool_trials *trials, enum pool_way way, char *failure)
{
	trials->list = checked_grow(trials->list, trials->count, sizeof(*trials->list));
	trials->list[trials->count++] = (struct pool_trial){ .way = way, .failure = failure };
}

static struct pool_trials *new_trials(const struct job *job)
{
	struct pool_trials *trials = checked_calloc(1, sizeof(*trials));

	trials->load = checked_strdup(job->try->load);
	trials->command = text__copy_list(job->plan.argv);
	trials->command_count = text__list_length(job->plan.argv);
	trials->rounds = job->try->runs;
	trials->restart = job->try->restart ? checked_strdup(job->try->restart) : NULL;
	add_trial(trials, POOL_AS_IS, NULL);
	return trials;
}

static void run_rounds(struct job *job, size_t rounds)
{
	job->rounds.rounds = rounds;
	pool_rounds__measure(&job->rounds);
	if (job->rounds.progress)
		bench_progress__clear();
}

/*
 * The pool as it is, which has to work: what it shows tells what to try, until the first round has
 * another such run. 0, or the exit status after a complaint.
 */
static int look(struct job *job)
{
	struct pool_trials *trials = job->rounds.state->trials;
	const struct pool_trial *as_is = trials->list;

	run_rounds(job, 1);
	if (as_is->failure) {
		print_error("workers", 0, "%s", as_is->failure);
		return status_of(job->rounds.failure);
	}
	if (!as_is->sample_count)
		return print_error("workers", EXIT_FORKTAX,
				   "interrupted before the first run was complete");
	job->plan.restart_ns = trials->restart_ns = as_is->samples[0].load_ns / RESTARTS;
	return 0;
}

/* A trial for each way that some advice names. */
static void plan_trials(struct job *job)
{
	struct pool_trials *trials = job->rounds.state->trials;

	for (size_t i = 0; i < trials->advice_count; i++) {
		enum pool_way way = workers_advice__way(&trials->advice[i]);
		char *reason = NULL;

		if (way == POOL_AS_IS || pool_trials__find(trials, way))
			continue;
		if (way == POOL_RESTART && !job->try->restart)
			reason = text__of("--restart, the command that makes the pool restart its "
					  "workers, was not given");
		else
			pool_remedy__prepare(&job->remedies[trials->count], way, &reason);
		add_trial(trials, way, reason);
	}
}

static int run(struct job *job)
{
	int status = look(job);

	if (status)
		return status;
	workers_advice__find(job->rounds.state);
	if (!job->try->no_try) {
		plan_trials(job);
		run_rounds(job, job->try->runs);
		workers_advice__find(job->rounds.state);
	}
	return 0;
}

int workers_try__run(const struct workers_try *try, char **argv,
		     const struct report_options *display)
{
	struct job job = {
		.try = try,
		.plan = { .argv = argv, .load = try->load, .ready = try->ready, .wait_ns = try->wait_ns,
			  .restart = try->restart },
		.rounds = { .plan = &job.plan, .remedies = job.remedies,
			    .progress = bench_progress__is_wanted(display) ? bench_progress__show : NULL },
	};
	char *path;
	int signal, status = find_command("workers", argv[0], &path);

	if (status)
		return status;
	job.plan.path = path;
	job.rounds.state = checked_calloc(1, sizeof(*job.rounds.state));
	job.rounds.state->trials = new_trials(&job);
	interrupt__begin(&job.interrupt); /* until the files of remedies are gone */
	status = run(&job);
	signal = interrupt__came(&job.interrupt);
	interrupt__end(&job.interrupt);
	for (size_t i = 0; i < POOL_WAYS; i++)
		pool_remedy__release(&job.remedies[i]);
	if (!status && signal)
		print_error("workers", 0, "interrupted: these are the runs that were complete");
	if (!status)
		status = print_workers("workers", job.rounds.state, display, stdout);
	workers__free(job.rounds.state);
	free(path);
	return signal ? die_like(signal) : status;
}
