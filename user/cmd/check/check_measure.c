// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/check/check_job.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/variants.h"
#include "elf/shell.h"
#include "launch/launch.h"
#include "source/privileges.h"
#include "source/source.h"
#include "source/trace.h"

/* As a shell has it. */
static int32_t status_of(const struct run *run)
{
	return run->signal ? 128 + run->signal : run->status;
}

/* The first run fills caches and makes what later ones find: it is not counted. */
static void drop_first(struct variant *variant)
{
	run__free(variant->runs[0]);
	variant->run_count--;
	memmove(variant->runs, variant->runs + 1, variant->run_count * sizeof(*variant->runs));
}

/* What was lost, of the first run that lost anything; to be freed; NULL: none did. */
static char *find_loss(const struct variant *variant)
{
	for (size_t i = 0; i < variant->run_count; i++) {
		const struct integrity *integrity = &variant->runs[i]->integrity;

		if (integrity->exact)
			continue;
		if (integrity->losses[LOSS_UNFINISHED])
			return text__of("run %zu left processes behind, which were not counted to "
					"their end", i + 1);
		return text__of("run %zu was not counted exactly%s%s", i + 1,
				integrity->note_count ? ": " : "",
				integrity->note_count ? integrity->notes[0] : "");
	}
	return NULL;
}

/* The status that they all end with, or else one that is not the expected one. */
static int32_t find_status(const struct variant *variant, int32_t expected)
{
	for (size_t i = 0; i < variant->run_count; i++)
		if (status_of(variant->runs[i]) != expected)
			return status_of(variant->runs[i]);
	return expected;
}

static void take(const struct check_job *job, const struct baseline_check *check,
		 struct variant *variant, struct check_measured *measured)
{
	if (variant->run_count > 1)
		drop_first(variant);
	measured->context = measured_context__of(variant->runs, variant->run_count, &job->machine);
	if (check->processes)
		measured_context__keep_processes(&measured->context);
	measured->status = find_status(variant, check->status);
	measured->inexact = find_loss(variant);
	measured->run = variant->runs[0];
	variant->runs[0] = variant->runs[--variant->run_count];
}

/* Where single faults cannot be recorded, calls and files still can. */
static int choose_detail(struct rounds *rounds, bool only_processes)
{
	struct trace_request request = { .source = rounds->source, .anatomy = true, .files = true,
					 .fault_level = FAULTS_SEEN };
	const char *missing;
	autofree char *lacking = NULL;

	rounds->files = !only_processes;
	rounds->anatomy = rounds->source ? !sources[rounds->source - 1]->cannot(ABILITY_ANATOMY)
					 : !trace__missing_privileges(&request);
	rounds->find_shell = elf_shell__find;
	rounds->anatomy &= !only_processes;
	request.files = rounds->files;
	request.anatomy = rounds->anatomy;
	missing = trace__missing_privileges(&request);
	if (!missing)
		return 0;
	lacking = privileges__lacking(missing);
	return print_error("check", EXIT_FORKTAX, "%s; or use --source=strace", lacking);
}

/*
 * What programs cannot do without, and what decides how they are started. All else differs between a desk
 * and a runner, and would count: by the locale that programs load, and by its length, as many copy it.
 */
static char **choose_environment(const struct baseline_check *check, const char *path)
{
	static const char *const usual[] = { "PATH",   "HOME", "USER",		 "LOGNAME",
					     "TMPDIR", "LD_*", "GLIBC_TUNABLES", "MALLOC_*" };
	const size_t count = sizeof(usual) / sizeof(usual[0]);
	autofree const char **names = checked_calloc(count + check->environment_count + 1, sizeof(*names));

	memcpy(names, usual, sizeof(usual));
	for (size_t i = 0; i < check->environment_count; i++)
		names[count + i] = check->environment[i];
	return environment__chosen(names, path, check->command);
}

int check_job__measure(const struct check_job *job, const struct baseline_check *check,
		       struct check_measured *measured, int *signal)
{
	struct variant variant = { .label = check->name, .argv = check->command };
	struct rounds rounds = job->rounds;
	autofree char *path = NULL;
	int status = find_command("check", check->command[0], &path);

	*measured = (struct check_measured){ 0 };
	*signal = 0;
	if (status)
		return status;
	variant.path = path;
	variant.environment = choose_environment(check, path);
	rounds.traced++;
	rounds.ignore_failure = true; /* how it ends is part of what is held */
	status = choose_detail(&rounds, check->processes);
	if (!status)
		status = variants__measure(&variant, 1, &rounds, signal);
	if (!status && !*signal)
		take(job, check, &variant, measured);
	variant__release(&variant);
	text__free_list(variant.environment);
	return status;
}

void check_measured__release(struct check_measured *measured)
{
	baseline_context__release(&measured->context);
	run__free(measured->run);
	free(measured->inexact);
}
