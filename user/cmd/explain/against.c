// SPDX-License-Identifier: GPL-2.0-or-later
/* Another executable with the same arguments: where its start differs, and the cost of a fork. */
#include <string.h>

#include "analysis/forks/against.h"
#include "analysis/start/start_against.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/explain/explain_trials.h"

/* Once, as the start that was explained. */
static int trace_start(struct trials *trials, int *signal)
{
	struct start *start = trials->run->start;
	struct run *other = NULL;
	int status = explain__trace(trials->job, trials->job->against, trials->argv, true, &other,
				    signal);

	if (!status && !*signal && other && other->start) {
		start->against = start_against__of(start, other->start);
		start->against->path = checked_strdup(trials->job->against);
		start->against->ends_alike = other->status == trials->run->status &&
					     other->signal == trials->run->signal;
		trials->against_forks = other->totals[LIFE_FORKS] > 0;
	}
	if (other)
		run__free(other);
	return status;
}

int trials__add_against(struct trials *trials, int *signal)
{
	char **argv = trials->job->argv;
	size_t count = text__list_length(argv);

	trials->argv = checked_calloc(count + 1, sizeof(*trials->argv));
	for (size_t i = 0; i < count; i++)
		trials->argv[i] = i ? argv[i] : trials->job->against;
	trials->against = trials->count;
	trials->variants[trials->count++] = (struct variant){
		.label = trials->job->against,
		.path = trials->job->against,
		.argv = trials->argv,
		.is_untraced = !trials->run->totals[LIFE_FORKS],
	};
	return trials->run->start ? trace_start(trials, signal) : 0;
}

/* CPU time holds that of children only if they were waited for: with children, it is wall time. */
static void note_start(struct trials *trials)
{
	struct start *start = trials->run->start;
	const bool by_cpu = !trials->run->totals[LIFE_FORKS] && !trials->against_forks;

	if (start && start->against && trials->variants[trials->against].sample_count)
		start->against->saved_ns =
			trials__time_saved(trials, trials->against, by_cpu, 1);
}

/* A2 estimates just this change: its advice gets the measured values. */
static void note_advice(struct trials *trials, const struct against *against, bool by_cpu)
{
	struct anatomy *anatomy = trials->run->anatomy;

	for (size_t i = 0; i < anatomy->advice_count; i++) {
		struct advice *advice = &anatomy->advice[i];

		if (strcmp(advice->rule, "A2") || advice->group != against->group)
			continue;
		advice->measured_faults = against->faults;
		advice->measured_ns = against->ns;
		free(advice->tried);
		advice->tried = trials__how(trials, trials->against, against->path, by_cpu);
	}
}

void trials__note_against(struct trials *trials)
{
	const struct variant *there = &trials->variants[trials->against];
	const struct against_side sides[2] = {
		{ trials__breakdowns(trials, 0), trials->variants[0].run_count },
		{ trials__breakdowns(trials, trials->against), there->run_count },
	};
	const struct fork_breakdown *costliest = fork_breakdowns__costliest(trials->breakdowns);
	struct against *against;
	bool by_cpu;

	note_start(trials);
	against = costliest ? against__compare(trials->run, costliest->group, sides) : NULL;
	if (!against)
		return;
	against->path = checked_strdup(trials->job->against);
	by_cpu = trials__have_cpu_time(trials, against->group);
	if (there->sample_count)
		against->ns = trials__time_saved(trials, trials->against, by_cpu, costliest->forks);
	trials->run->anatomy->against = against;
	note_advice(trials, against, by_cpu);
}
