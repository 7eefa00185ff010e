// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/run/run_children.h"

#include <math.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"

enum { CHILDREN_LEAST = 3, FILES_LEAST = 5, FILES_ANEW_LEAST = 20, NAMED = 3, SUFFIX_MOST = 7 };
static const double NEARLY_ALL = 0.9;

bool group__starts_anew(const struct run *run, const struct group *group)
{
	const struct run_subject subject = { .run = run };

	return group->exec_target != NO_EXE && group->exec_target == group->parent_exe &&
	       !run_subject__names_shell(run_subject__name(&subject, group->exec_target));
}

/*
 * The parent of the group's one child that is kept; NULL: it is not kept itself, as only roots and the first child of
 * each group are.
 */
static const struct process *parent_of(const struct run *run, uint32_t group)
{
	uint64_t parent = 0;

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].group == group)
			parent = run->processes[i].parent;
	return run__process(run, parent);
}

/* By processes of the parent's group; where that is not known, of any other than this one that is not of roots. */
static bool is_opened_before(const struct run *run, const struct file_row *row)
{
	const struct process *parent = parent_of(run, row->group);

	for (size_t i = 0; i < run->files->row_count; i++) {
		const struct file_row *other = &run->files->rows[i];
		const bool may_be = parent ? other->group == parent->group :
					     other->group != row->group && other->group != NO_GROUP;

		if (may_be && other->openers && !text__compare(other->path, row->path))
			return true;
	}
	return false;
}

static bool is_of_kernel(const char *path)
{
	static const char *const directories[] = { "/dev/", "/proc/", "/sys/" };

	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		if (!strncmp(path, directories[i], strlen(directories[i])))
			return true;
	return false;
}

/* Does nearly every child of its group open it? A copy of the parent has what that has opened. */
static bool is_same_for_all(const struct run *run, const struct file_row *row)
{
	const struct group *group = &run->groups[row->group];

	if (row->kind != FILE_NAMED || is_of_kernel(row->path) ||
	    (double)row->openers < NEARLY_ALL * (double)group__children(group))
		return false;
	return group->exec_target == NO_EXE ? !is_opened_before(run, row) : !text__names_library(row->path);
}

static struct same_work work_of(const struct run *run, uint32_t group)
{
	struct same_work work = { .group = group, .by_all = true };
	double first = INFINITY, last = 0;

	if (group__children(&run->groups[group]) < CHILDREN_LEAST)
		return work;
	for (size_t i = 0; i < run->files->row_count; i++) {
		const struct file_row *row = &run->files->rows[i];
		double when;

		if (row->group != group || !is_same_for_all(run, row))
			continue;
		when = (double)row->opened_ns / (double)row->openers;
		first = fmin(first, when);
		last = fmax(last, when);
		work.files++;
		work.by_all &= row->openers >= group__children(&run->groups[group]);
	}
	if (work.files >= (run->groups[group].exec_target == NO_EXE ? FILES_LEAST : FILES_ANEW_LEAST))
		work.ns = last - first;
	return work;
}

struct same_work same_work__most(const struct run *run, bool anew)
{
	struct same_work most = { 0 };

	for (uint32_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];
		const bool is_asked = anew ? group__starts_anew(run, group) : group->exec_target == NO_EXE;
		const struct same_work one = is_asked ? work_of(run, i) : most;

		if (one.ns * (double)group__children(group) >
		    most.ns * (double)group__children(&run->groups[most.group]))
			most = one;
	}
	return most;
}

/* "client.py", and not "python3.11" or "tool.d4Fzq". */
static bool looks_like_file(const char *path)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	const char *dot = strrchr(text__file_name(path), '.');
	const size_t length = dot ? strlen(dot + 1) : 0;

	return length && length <= SUFFIX_MOST && strspn(dot + 1, letters) == length;
}

char *same_work__names(const struct run *run, const struct same_work *work)
{
	struct name_list list = { .most = NAMED };
	autofree char *names = NULL;

	for (size_t i = 0; i < run->files->row_count; i++) {
		const struct file_row *row = &run->files->rows[i];

		if (row->group == work->group && is_same_for_all(run, row) && looks_like_file(row->path))
			name_list__add(&list, text__file_name(row->path));
	}
	names = name_list__finish(&list);
	return text__of("%s%s%s", names ? " (" : "", names ? names : "", names ? ")" : "");
}
