// SPDX-License-Identifier: GPL-2.0-or-later
/* R7: scripts run first, and then execute the program that was wanted: shims, wrappers, launchers. */
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { NAMED_MOST = 3 };
static const double SHARE_LEAST = 0.2, NS_LEAST = 5e6, LARGEST_LEAST = 0.5;

/* What a shell is told by -c is the work itself: it executes the last command, but what comes before is not for it. */
static bool is_shell_with_commands(const struct run *run)
{
	bool of_shell = false, may_be_argument = false;

	for (size_t i = 0; i < run->command_count; i++) {
		const char *word = run->command[i];
		const bool is_option = *word == '-' || *word == '+';

		if (of_shell && *word == '-' && word[1] != '-' && strchr(word, 'c'))
			return true;
		if (run_subject__names_shell(text__file_name(word)))
			of_shell = true;
		else if (!is_option && !may_be_argument)
			of_shell = false; /* a script, or another program: what follows is for that */
		may_be_argument = is_option;
	}
	return false;
}

/* Where the last program begins that the first process executes; NULL: it executes none, or that is not known. */
static const struct path_step *find_last(const struct run_subject *subject)
{
	const struct critical_path *path = subject->path;
	const struct process *process = subject->run->process_count ? &subject->run->processes[0] : NULL;
	const struct path_step *last = NULL;

	if (!process || process->image_count < 2)
		return NULL;
	for (size_t i = 0; i < path->step_count; i++)
		if (path->steps[i].process == process->id && path->steps[i].link == PATH_LINK_EXEC)
			last = &path->steps[i];
	return last && last->exe == process->images[process->image_count - 1].exe ? last : NULL;
}

/* "tool, manager": the command, and scripts that fork; to be freed. */
static char *scripts_of(const struct run *run)
{
	struct name_list names = { .most = NAMED_MOST };
	const char *command = text__file_name(run->command[0]);

	name_list__add(&names, command);
	for (size_t i = 0; run->lines && i < run->lines->file_count; i++)
		if (run->lines->files[i].name && strcmp(text__file_name(run->lines->files[i].name), command) != 0)
			name_list__add(&names, text__file_name(run->lines->files[i].name));
	return name_list__finish(&names);
}

/* Then nobody knows whose programs are whose. */
static bool forks(const struct run *run, uint32_t last)
{
	for (size_t i = 0; i < run->group_count; i++)
		if (run->groups[i].parent_exe == last)
			return true;
	return false;
}

/* "37 programs", "programs": how many start before, if that is known; to be freed. */
static char *programs_of(const struct run *run, uint32_t last)
{
	const uint64_t starts = run->tree_times && !forks(run, last) ? tree_times__starts(run->tree_times) : 0;

	return starts < 2 ? text__of("programs")
			  : text__of("%s", quantity__count(starts - 1, "program", "programs").text);
}

/* ", above all chown -R app data": what takes half of it or more; nothing where that is not known. To be freed. */
static char *largest_of(const struct run *run, uint32_t last)
{
	const size_t count = run->executions && !forks(run, last) ? run->executions->count : 0;
	const struct execution *largest = NULL;
	autofree char *words = NULL;
	double all = 0;

	for (size_t i = 0; i < count; i++) {
		const struct execution *row = &run->executions->rows[i];

		if (row->exe == last)
			continue;
		all += (double)row->wall_ns;
		largest = largest || row->parent_exe == NO_EXE ? largest : row;
	}
	if (!largest || !largest->argument_count || (double)largest->wall_ns < LARGEST_LEAST * all)
		return text__of("%s", "");
	words = execution__words(largest);
	return text__of(", above all %s", words);
}

bool rule__r07_before(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->run;
	const struct path_step *last = subject->path && !is_shell_with_commands(run) ? find_last(subject) : NULL;
	const double ns = last ? run_subject__path(subject, (double)last->begin_ns) : 0;
	autofree char *scripts = NULL, *programs = NULL, *share = NULL, *largest = NULL;
	const char *path;

	if (!last || last->exe >= run->exe_count || ns < NS_LEAST || ns < SHARE_LEAST * subject->wall_ns)
		return false;
	scripts = scripts_of(run);
	programs = programs_of(run, last->exe);
	share = run_subject__share(subject, ns);
	largest = largest_of(run, last->exe);
	advice->evidence = text__of("Before %s starts, %s of %s take %s%s.", run_subject__name(subject, last->exe),
				    programs, scripts, share, largest);
	path = exe__name(&run->exes[last->exe]);
	advice->action = text__of("start %s directly, where the work of %s is not needed each time",
				  path ? path : run_subject__name(subject, last->exe), scripts);
	advice->predicted_ns = estimate__at_most(ns);
	return true;
}
