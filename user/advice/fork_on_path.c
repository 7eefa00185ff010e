// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/rules.h"

#include <math.h>

#include "base/quantity.h"
#include "base/text.h"

static bool is_of_command(const struct run *run, uint32_t exe)
{
	for (size_t i = 0; i < run->process_count && !run->processes[i].parent; i++)
		for (size_t k = 0; k < run->processes[i].image_count; k++)
			if (run->processes[i].images[k].exe == exe)
				return true;
	return false;
}

/* Is it a program that no child executes first? Then it may be one that children of any group execute later. */
static bool is_executed_later(const struct run *run, const struct path_program *program)
{
	if (!program->executed || is_of_command(run, program->exe))
		return false;
	for (size_t i = 0; i < run->group_count; i++)
		if (run->groups[i].exec_target == program->exe)
			return false;
	return true;
}

static bool may_be_of(const struct run *run, const struct group *group, const struct path_program *program)
{
	return program->exe == group->parent_exe || (program->executed && program->exe == group->exec_target) ||
	       is_executed_later(run, program);
}

/*
 * At most so long fewer forks of the group can make the path shorter: parents and children are on a CPU, or anything
 * waits for one, which others off the path may use. The path is known by program, not by group: other processes of
 * these programs count, too.
 */
static uint64_t ns_on_path(const struct run *run, const struct group *group)
{
	const struct critical_path *path = run->critical_path;
	uint64_t ns = 0;

	for (size_t i = 0; i < path->program_count; i++)
		if (may_be_of(run, group, &path->programs[i]))
			ns += path->programs[i].ns[PATH_PART_CPU];
	return ns + critical_path__part(path, PATH_PART_READY);
}

void fork_on_path__weigh(const struct subject *subject, struct advice *advice)
{
	const struct critical_path *path = subject->run->critical_path;
	double most;
	uint64_t ns;

	if (!path || !advice->predicted_ns.known || !(subject->children > 0))
		return;
	ns = ns_on_path(subject->run, subject->group);
	most = (double)ns / subject->children;
	if (advice->predicted_ns.value <= most)
		return;
	estimate__lower(&advice->predicted_ns, most);
	advice->predicted_ns.high = fmin(advice->predicted_ns.high, most);
	text__replace(&advice->evidence,
		      "%s The command does not wait for most of that: on the critical path of %s these programs, "
		      "parents included, and waits for a CPU have %s.",
		      advice->evidence, quantity__time((double)path->wall_ns).text, quantity__time((double)ns).text);
}
