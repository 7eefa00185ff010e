// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/explain/explain_trials.h"

#include "analysis/series.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/explain/timed_runs.h"
#include "launch/launch.h"

static const char tunables[] = "GLIBC_TUNABLES=", limit[] = "ulimit ";

/* The last of two settings of a tunable counts, so ours follows those of the user. */
static char *merge(const char *entry)
{
	const char *set = getenv("GLIBC_TUNABLES");

	if (strncmp(entry, tunables, strlen(tunables)) || !set || !*set)
		return checked_strdup(entry);
	return text__of("%s%s:%s", tunables, set, entry + strlen(tunables));
}

/* Behind argv[0]. */
static char **insert(const char *option, char *const *argv)
{
	const size_t count = text__list_length(argv);
	char **list = checked_calloc(count + 2, sizeof(*list));

	list[0] = argv[0];
	list[1] = (char *)option;
	for (size_t i = 1; i < count; i++)
		list[i + 1] = argv[i];
	return list;
}

/* A shell lowers the limit and executes the command. */
static char **limited(const char *script, const char *path, char *const *argv)
{
	const size_t count = text__list_length(argv);
	char **list = checked_calloc(count + 4, sizeof(*list));

	list[0] = "sh";
	list[1] = "-c";
	list[2] = (char *)script;
	list[3] = (char *)path;
	for (size_t i = 1; i < count; i++)
		list[i + 3] = argv[i];
	return list;
}

static void make(struct setting *setting, const char *entry, const struct explain_job *job)
{
	const char *changes[] = { NULL, NULL };

	setting->entry = merge(entry);
	if (!strncmp(entry, limit, strlen(limit))) {
		setting->script = text__of("%s; exec \"$0\" \"$@\"", entry);
		setting->argv = limited(setting->script, job->path, job->argv);
		return;
	}
	if (*entry == '-') {
		setting->argv = insert(setting->entry, job->argv);
		return;
	}
	changes[0] = setting->entry;
	setting->environment = environment__changed(changes);
}

void setting__release(struct setting *setting)
{
	text__free_list(setting->environment);
	free(setting->argv);
	free(setting->script);
	free(setting->entry);
	*setting = (struct setting){ 0 };
}

void trials__add(struct trials *trials, const char *entry)
{
	struct setting *setting = &trials->settings[trials->count];

	for (size_t i = 1; i < trials->count; i++)
		if (!strcmp(trials->entries[i], entry))
			return;
	if (trials->count > TRIES_MOST)
		return;
	make(setting, entry, trials->job);
	trials->entries[trials->count] = entry;
	trials->variants[trials->count] = trials->variants[0];
	trials->variants[trials->count].label = entry;
	trials->variants[trials->count].environment = setting->environment;
	if (setting->argv)
		trials->variants[trials->count].argv = setting->argv;
	if (setting->script)
		trials->variants[trials->count].path = "/bin/sh";
	trials->count++;
}

size_t trials__find(const struct trials *trials, const char *entry)
{
	for (size_t i = 1; entry && i < trials->count; i++)
		if (trials->entries[i] && !strcmp(trials->entries[i], entry))
			return i;
	return 0;
}

bool trials__end_alike(const struct trials *trials, const struct variant *variant)
{
	for (size_t i = 0; i < variant->run_count; i++)
		if (variant->runs[i]->status != trials->run->status || variant->runs[i]->signal != trials->run->signal)
			return false;
	return true;
}

const struct fork_breakdowns *trials__breakdowns(struct trials *trials, size_t index)
{
	const struct variant *variant = &trials->variants[index];
	struct fork_breakdowns *breakdowns = trials->traced[index];

	if (breakdowns)
		return breakdowns;
	breakdowns = checked_calloc(variant->run_count, sizeof(*breakdowns));
	for (size_t i = 0; i < variant->run_count; i++)
		breakdowns[i] = fork_breakdowns__of(variant->runs[i]);
	return trials->traced[index] = breakdowns;
}

bool trials__have_cpu_time(const struct trials *trials, uint32_t group)
{
	const struct fork_cost *cost = anatomy__fork_cost(trials->run->anatomy, group);

	return cost && cost->complete && 10 * cost->complete >= 9 * cost->forks;
}

static struct series series_of(const struct variant *variant, bool by_cpu)
{
	const struct series wall = variant__wall(variant);

	return by_cpu ? series__by_cpu(&wall, variant->cpu_ns) : wall;
}

static struct estimate time_saved(const struct trials *trials, size_t index, bool by_cpu, double forks)
{
	const struct series before = series_of(&trials->variants[0], by_cpu);
	const struct series after = series_of(&trials->variants[index], by_cpu);

	return estimate__divide(series__difference(&before, &after, PAIRED), forks);
}

/* " (without 2 in which others had the CPU)", or nothing; to be freed. */
static char *disturbance(const struct trials *trials, size_t index, bool by_cpu)
{
	const struct series before = series_of(&trials->variants[0], by_cpu);
	const struct series after = series_of(&trials->variants[index], by_cpu);
	size_t disturbed = series__disturbed(&before, &after);
	bool left_out = before.rounds - disturbed >= STATS_INTERVAL_MIN;

	if (!disturbed)
		return checked_strdup("");
	return text__of(" (%s %zu in which others used the CPU)", left_out ? "without" : "no interval:", disturbed);
}

/* How that was measured, in words; to be freed. */
static char *how_measured(const struct trials *trials, size_t index, bool by_cpu)
{
	const struct variant *variant = &trials->variants[index];
	char *disturbed, *how;

	if (!variant->sample_count)
		return text__of("faults of %zu traced runs", variant->run_count);
	disturbed = disturbance(trials, index, by_cpu);
	how = text__of("%s time of %zu runs each way, alternating%s", by_cpu ? "CPU" : "wall", variant->sample_count,
		       disturbed);
	if (variant->run_count)
		text__replace(&how, "%s, faults of %zu traced ones", how, variant->run_count);
	free(disturbed);
	return how;
}

void trials__note_other_end(struct advice *advice, const char *setting)
{
	advice->tried_with = checked_strdup(setting);
	advice->tried = checked_strdup("with it the command ends differently");
}

void trials__note(const struct trials *trials, struct advice *advice, size_t index,
		  struct estimate faults, bool by_cpu, double forks)
{
	const struct variant *variant = &trials->variants[index];

	if (!variant->sample_count && !variant->run_count)
		return; /* interrupted before */
	if (!trials__end_alike(trials, variant)) {
		trials__note_other_end(advice, trials->settings[index].entry);
		return;
	}
	advice->tried_with = checked_strdup(trials->settings[index].entry);
	advice->measured_faults = faults;
	if (variant->sample_count)
		advice->measured_ns = time_saved(trials, index, by_cpu, forks);
	advice->tried = how_measured(trials, index, by_cpu);
}
