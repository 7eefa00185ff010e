// SPDX-License-Identifier: GPL-2.0-or-later
/* The same arguments with another executable, and where the difference of a fork goes. */
#include <string.h>

#include "advice/against.h"
#include "advice/groups.h"
#include "base/memory.h"
#include "cmd/explain_trials.h"

void trials__add_against(struct trials *trials)
{
	char **argv = trials->job->argv;
	size_t count = 0;

	while (argv[count])
		count++;
	trials->argv = checked_calloc(count + 1, sizeof(*trials->argv));
	for (size_t i = 0; i < count; i++)
		trials->argv[i] = i ? argv[i] : trials->job->against;
	trials->against = trials->count;
	trials->variants[trials->count++] = (struct variant){
		.label = trials->job->against,
		.path = trials->job->against,
		.argv = trials->argv,
	};
}

/* What A2 estimates is what was done. */
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
	const struct variant *here = &trials->variants[0];
	const struct variant *there = &trials->variants[trials->against];
	const struct side sides[2] = {
		{ here->runs, here->run_count },
		{ there->runs, there->run_count },
	};
	struct run *run = trials->run;
	const struct group *group;
	struct against *against;
	uint32_t index;
	bool by_cpu;

	if (!here->run_count || !there->run_count)
		return;
	index = groups__dearest(run);
	if (index == NO_GROUP)
		return;
	/* Numbers of groups may differ from run to run. */
	index = groups__same(run, index, here->runs[0], true);
	against = index == NO_GROUP ? NULL : against__compare(sides, index);
	if (!against)
		return;
	against->path = checked_strdup(trials->job->against);
	against->group = groups__same(here->runs[0], index, run, true);
	group = &run->groups[against->group];
	by_cpu = trials__have_cpu_time(trials, against->group);
	if (there->sample_count)
		against->ns = trials__time_saved(trials, trials->against, by_cpu,
						 (double)(group->children + group->unfinished));
	run->anatomy->against = against;
	note_advice(trials, against, by_cpu);
}
