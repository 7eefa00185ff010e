// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/explain/path_first.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/series.h"
#include "analysis/tree/path_starts.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/explain/outcome.h"
#include "cmd/explain/timed_runs.h"
#include "cmd/variants.h"
#include "launch/launch.h"
#include "model/rows/fields.h"

/* The two ways, and what came of them. */
struct path_job {
	struct explain_job *job;
	char **environment; /* with the directory first in PATH; owned */
	struct variant variants[2]; /* without, with */
};

static bool has_program(const char *directory, const char *name)
{
	autofree char *path = text__of("%s/%s", directory, name);
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

static bool is_elf(const char *directory, const char *name)
{
	autofree char *path = text__of("%s/%s", directory, name);
	FILE *stream = fopen(path, "re");
	char magic[4] = { 0 };
	const bool is = stream && fread(magic, 1, sizeof(magic), stream) && !memcmp(magic, "\177ELF", sizeof(magic));

	if (stream)
		fclose(stream);
	return is;
}

/* What can be executed in it; and how much of that are scripts, or files that cannot be read. */
struct path_contents {
	uint64_t programs, scripts;
};

static struct path_contents contents_of(const char *directory)
{
	struct path_contents contents = { 0 };
	DIR *stream = opendir(directory);
	const struct dirent *entry;

	while (stream && (entry = readdir(stream)))
		if (has_program(directory, entry->d_name)) {
			contents.programs++;
			contents.scripts += !is_elf(directory, entry->d_name);
		}
	if (stream)
		closedir(stream);
	return contents;
}

int path_first__find(const char *given, char **directory)
{
	struct stat status;

	*directory = realpath(given, NULL);
	if (!*directory || stat(*directory, &status))
		return print_error("explain", EXIT_USAGE, "--path-first %s: %s", given, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return print_error("explain", EXIT_USAGE,
				   "--path-first %s: this is no directory; --against compares with a program", given);
	if (strchr(*directory, ':'))
		return print_error("explain", EXIT_USAGE, "--path-first %s: PATH cannot have a directory with a colon",
				   given);
	if (!contents_of(*directory).programs)
		return print_error("explain", EXIT_USAGE,
				   "--path-first %s: no file in it can be executed; give a directory with other builds "
				   "of the programs that the command starts",
				   given);
	return 0;
}

static char **environment_with(const char *directory)
{
	const char *path = getenv("PATH");
	autofree char *entry = text__of("PATH=%s:%s", directory, path ? path : "/bin:/usr/bin");
	const char *changes[] = { entry, NULL };

	return environment__changed(changes);
}

static void release(struct path_job *job)
{
	for (int i = 0; i < 2; i++)
		variant__release(&job->variants[i]);
	text__free_list(job->environment);
}

static int measure(struct path_job *job, size_t timed, size_t traced, int *signal)
{
	struct rounds rounds = job->job->rounds;

	rounds.timed = timed;
	rounds.traced = traced;
	rounds.tree_times = true;
	rounds.ignore_failure = true; /* both fail in the same way, or are not compared */
	return variants__measure(job->variants, 2, &rounds, signal);
}

static void count_side(const struct run *run, struct path_side *side)
{
	side->processes = run->totals[LIFE_FORKS] + 1;
	side->faults = run->faults.total;
}

/* Which programs are started: one traced run of each. */
static int look(struct path_job *job, struct path_trial *trial, int *signal)
{
	const int status = measure(job, 0, 1, signal);
	const struct variant *variants = job->variants;

	if (status || *signal)
		return status;
	if (!variants[0].run_count || !variants[1].run_count || !variants[1].runs[0]->tree_times)
		return print_error("explain", EXIT_FORKTAX, "--path-first: the programs of the tree were not recorded");
	count_side(variants[0].runs[0], &trial->without);
	count_side(variants[1].runs[0], &trial->with);
	path_starts__count(variants[1].runs[0], trial);
	for (size_t i = 0; i < trial->missed_count; i++)
		trial->missed[i].is_there = has_program(trial->directory, text__file_name(trial->missed[i].path));
	return 0;
}

static void compare_output(const struct path_job *job, struct path_trial *trial, int *signal)
{
	const struct variant *variants = job->variants;
	const struct way ways[2] = { { variants[0].path, variants[0].argv, NULL },
				     { variants[1].path, variants[1].argv, variants[1].environment } };
	struct outcome_comparison comparison;
	struct interrupt interrupt;

	interrupt__begin(&interrupt);
	comparison = outcome__compare(ways, &interrupt);
	*signal = interrupt__came(&interrupt);
	interrupt__end(&interrupt);
	if (*signal)
		return;
	trial->output = comparison.output;
	trial->bytes = comparison.bytes;
	if (comparison.difference)
		trial->difference = checked_strdup(comparison.difference);
}

static int time_both(struct path_job *job, struct path_trial *trial, size_t runs, int *signal)
{
	const int status = runs ? measure(job, runs, 0, signal) : 0;
	struct path_side *sides[2] = { &trial->without, &trial->with };
	struct series wall[2], cpu[2];

	if (status || *signal || !runs)
		return status;
	for (int i = 0; i < 2; i++) {
		wall[i] = variant__wall(&job->variants[i]);
		cpu[i] = variant__cpu(&job->variants[i]);
		sides[i]->wall_ns = series__median(&wall[i]);
		sides[i]->cpu_ns = series__median(&cpu[i]);
	}
	trial->saved_wall_ns = series__difference(&wall[0], &wall[1], PAIRED);
	trial->saved_cpu_ns = series__difference(&cpu[0], &cpu[1], PAIRED);
	return 0;
}

static int fill(struct path_job *job, const struct run *run, struct path_trial *trial, int *signal)
{
	int status = look(job, trial, signal);

	if (!status && !*signal && (trial->taken || trial->scripts))
		compare_output(job, trial, signal);
	if (!status && !*signal && trial->output == PATH_OUTPUT_SAME)
		status = time_both(job, trial, timed_runs__of_pair(job->job, (double)run->wall_ns), signal);
	return status;
}

int explain__try_path(struct explain_job *job, struct run *run, int *signal)
{
	const struct variant without = { .label = job->argv ? job->argv[0] : NULL, .path = job->path,
					 .argv = job->argv };
	struct path_job both = { .job = job, .variants = { without, without } };
	struct path_trial *trial;
	int status;

	if (!job->path_first)
		return 0;
	if (!run->tree_times)
		return print_error("explain", EXIT_FORKTAX, "--path-first: the programs of the tree were not recorded");
	trial = checked_calloc(1, sizeof(*trial));
	trial->directory = checked_strdup(job->path_first);
	trial->scripts = contents_of(job->path_first).scripts;
	both.environment = environment_with(trial->directory);
	both.variants[1].environment = both.environment;
	both.variants[1].label = job->path_first;
	status = fill(&both, run, trial, signal);
	if (status || *signal)
		shape__free(&path_trial_shape, trial);
	else
		run->tree_times->path_trial = trial;
	release(&both);
	return status;
}
