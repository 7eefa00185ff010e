// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/check_names.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/same.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/baseline/baseline.h"

/* The last part of the name: where it is installed is not what the check is about. */
static const char *exe_name(const struct run *run, uint32_t exe)
{
	const char *name = exe_file_name(run, exe);

	return name ? name : "a file now gone";
}

static char *group_name(const struct run *run, const struct group *group)
{
	const char *birth = birth_counters[group->birth].header;
	const char *parent = exe_name(run, group->parent_exe);

	if (group->exec_target == NO_EXE)
		return text__of("%s of %s, no exec", birth, parent);
	return text__of("%s of %s, exec of %s", birth, parent, exe_name(run, group->exec_target));
}

struct check_names check_names__of(const struct run *run, const char *here)
{
	struct check_names names = { run, here, checked_calloc(run->group_count + 1, sizeof(char *)) };

	for (size_t i = 0; i < run->group_count; i++)
		names.groups[i] = group_name(run, &run->groups[i]);
	return names;
}

void check_names__release(struct check_names *names)
{
	text__free_list(names->groups);
}

const char *check_names__group(const struct check_names *names, uint32_t group)
{
	return group < names->run->group_count ? names->groups[group] : OF_COMMAND;
}

/* By the parent of the first one that is listed. */
static const char *parent_name(const struct check_names *names, uint32_t group)
{
	const struct run *run = names->run;

	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *parent;

		if (run->processes[i].group != group || !run->processes[i].parent)
			continue;
		parent = run__process(run, run->processes[i].parent);
		if (parent)
			return check_names__group(names, parent->group);
	}
	return OF_COMMAND;
}

const char *check_names__row(const struct check_names *names, const struct anatomy_row *row)
{
	return row->phase == PHASE_PARENT && row->group != NO_GROUP ? parent_name(names, row->group)
								    : check_names__group(names, row->group);
}

/* "/proc/PID/stat": pids are others each time. */
static char *without_pid(const char *path)
{
	const size_t digits = strspn(path + strlen("/proc/"), "0123456789");

	return text__of("/proc/PID%s", path + strlen("/proc/") + digits);
}

char *check_names__path(const struct check_names *names, const char *path)
{
	const size_t length = strlen(names->here);

	if (!path)
		return checked_strdup("a file now gone");
	if (length > 1 && !strncmp(path, names->here, length) && (!path[length] || path[length] == '/'))
		return text__of(".%s", path + length);
	if (!strncmp(path, "/proc/", strlen("/proc/")) && path[strlen("/proc/")] >= '0' &&
	    path[strlen("/proc/")] <= '9')
		return without_pid(path);
	return checked_strdup(path);
}

char *check_names__image(const struct check_names *names, uint32_t index)
{
	const struct exe *exe = &names->run->exes[index];
	char *name = check_names__path(names, exe__name(exe));

	if (exe__name(exe) && *name != '/' && *name != '.') /* as objects are named */
		text__replace(&name, "./%s", name);
	text__replace(&name, "%s (%s)", name, exe->linkage ? exe->linkage : "not known");
	return name;
}

static const char *without_line(const struct script_line *line)
{
	return line->certainty == LINE_IN_TRAP ? "(a trap)" : "(the line is not known)";
}

char *check_names__line(const struct check_names *names, const struct script_line *line)
{
	const char *text = line->text;
	char *name;

	if (line->source == SCRIPT_UNKNOWN)
		return NULL;
	name = line->source == SCRIPT_FILE ? check_names__path(names, line->file) : checked_strdup("(no file)");
	if (line->certainty == LINE_OF_ENVIRONMENT)
		text = line->function;
	else if (!text)
		text = line->line ? "(the text of the line is not known)" : without_line(line);
	text__replace(&name, "%s: %s%s", name, line->certainty == LINE_BELOW ? "below " : "", text);
	return name;
}

const char *check_names__program(const struct check_names *names, const struct group *group)
{
	return group->exec_target == NO_EXE ? NULL : exe_name(names->run, group->exec_target);
}

char *check_names__object(const struct check_names *names, uint32_t object)
{
	const struct anatomy *anatomy = names->run->anatomy;

	if (!anatomy || object >= anatomy->object_count)
		return NULL;
	return check_names__path(names, anatomy->objects[object].path);
}
