// SPDX-License-Identifier: GPL-2.0-or-later
/* R16: at each of its starts, a shell of a user waits for programs whose output it takes, and which could be kept. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/text.h"

static const double SHARE_LEAST = 0.1, EACH_LEAST_NS = 20e6;

/* "-i", "-l", "-lic", "--login" before the first operand: the shell reads its user's start files. */
static bool asks_for_start_files(char *const *words)
{
	for (; *words && **words == '-'; words++) {
		if (!strcmp(*words, "--login") || !strcmp(*words, "--interactive"))
			return true;
		if ((*words)[1] != '-' && strpbrk(*words, "il"))
			return true;
	}
	return false;
}

/* Does the command ask for output itself, beside what the start files do? */
static bool takes_output(const struct run *run)
{
	static const char *const substitutions[] = { "$(", "`", "<(", NULL };

	for (size_t i = 1; i < run->command_count; i++)
		if (text__holds_any(run->command[i], substitutions))
			return true;
	return false;
}

static bool is_start_of_shell(const struct run *run)
{
	const char *name = run->command_count ? text__file_name(run->command[0]) : "";

	return (run_subject__names_shell(name) || !strcmp(name, "fish")) && asks_for_start_files(run->command + 1) &&
	       !takes_output(run);
}

/* Is it long enough to be noticed, and started for what it prints alone? */
static bool is_asked(const struct run_subject *subject, const struct execution *row)
{
	const uint32_t shell = subject->run->processes[0].images[0].exe;

	return row->parent_exe == shell && row->argument_count && row->captured == row->count && !row->fed &&
	       run_subject__untraced(subject, (double)row->wall_ns) >= EACH_LEAST_NS * (double)row->count;
}

static void speak(const struct run_subject *subject, const struct execution *largest, uint64_t programs, double ns,
		  struct advice *advice)
{
	const char *shell = run_subject__name(subject, largest->parent_exe);
	autofree char *words = execution__words(largest), *place = execution__place(subject, largest);
	autofree char *share = run_subject__share(subject, ns), *among = NULL;

	among = programs > 1 ? text__of("%" PRIu64 " programs, above all ", programs) : text__of("%s", "");
	advice->evidence = text__of("At its start %s waits for the output of %s%s%s%s: %s.", shell, among, words,
				    place ? " at " : "", place ? place : "", share);
	advice->action = text__of("keep what it prints in a file that the start of %s reads, where that is always the "
				  "same, or start it when it is first needed", shell);
}

bool rule__r16_asked(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->run;
	const struct execution *largest = NULL;
	struct spared spared = { 0 };
	uint64_t programs = 0;

	if (!run->executions || !run->process_count || !run->processes[0].image_count || !is_start_of_shell(run))
		return false;
	for (size_t i = 0; i < run->executions->count; i++) {
		const struct execution *row = &run->executions->rows[i];

		if (!is_asked(subject, row))
			continue;
		largest = largest ? largest : row;
		spared__add(&spared, subject, row, 1);
		programs++;
	}
	if (!largest || !spared__reaches(&spared, subject, SHARE_LEAST))
		return false;
	speak(subject, largest, programs, spared__predict(&spared, subject, advice), advice);
	return true;
}
