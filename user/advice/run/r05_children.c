// SPDX-License-Identifier: GPL-2.0-or-later
/* R5: every child opens the same files, which its parent has not: what it does with them could be done once. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { CHILDREN_LEAST = 3, FILES_LEAST = 5, NAMED = 3 };
static const double SHARE_LEAST = 0.05, NEARLY_ALL = 0.9;

/* Of a group in the run of files. */
struct same_work {
	uint32_t group;
	uint64_t files;
	bool by_all; /* without exception */
	double ns; /* of a child, from the first of these files to the last */
};

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

/* Does nearly every child of its group open it, and not their parent? */
static bool is_same_for_all(const struct run *run, const struct file_row *row)
{
	return row->kind == FILE_NAMED &&
	       (double)row->openers >= NEARLY_ALL * (double)group__children(&run->groups[row->group]) &&
	       !is_of_kernel(row->path) && !is_opened_before(run, row);
}

static struct same_work work_of(const struct run *run, uint32_t group)
{
	struct same_work work = { .group = group, .by_all = true };
	double first = INFINITY, last = 0;

	if (run->groups[group].exec_target != NO_EXE || group__children(&run->groups[group]) < CHILDREN_LEAST)
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
	if (work.files >= FILES_LEAST)
		work.ns = last - first;
	return work;
}

/* " (client.py, decoder.py and 50 more)", without what looks like a directory; to be freed. */
static char *names_of(const struct run *run, uint32_t group)
{
	struct name_list list = { .most = NAMED };
	autofree char *names = NULL;

	for (size_t i = 0; i < run->files->row_count; i++) {
		const struct file_row *row = &run->files->rows[i];

		if (row->group == group && is_same_for_all(run, row) && strchr(text__file_name(row->path), '.'))
			name_list__add(&list, text__file_name(row->path));
	}
	names = name_list__finish(&list);
	return text__of("%s%s%s", names ? " (" : "", names ? names : "", names ? ")" : "");
}

/* All that copies of that program do in the run that has a bill. */
static double all_of(const struct run_subject *subject, const struct exe *exe)
{
	const struct run *run = subject->run;
	double ns = 0;

	for (size_t i = 0; i < run->bill->count; i++) {
		const struct bill_row *row = &run->bill->rows[i];

		if ((row->kind == BILL_CODE || row->kind == BILL_CALL) && !row->executed && row->exe < run->exe_count &&
		    exe__is_same(&run->exes[row->exe], exe))
			ns += run_subject__wall(subject, row);
	}
	return ns;
}

bool rule__r05_children(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->of_files;
	struct same_work most = { 0 };
	autofree char *share = NULL, *names = NULL;
	const struct group *group;
	double ns, all;

	for (uint32_t i = 0; run && i < run->group_count; i++) {
		const struct same_work one = work_of(run, i);

		if (one.ns * (double)group__children(&run->groups[i]) >
		    most.ns * (double)group__children(&run->groups[most.group]))
			most = one;
	}
	if (most.ns <= 0 || run->groups[most.group].parent_exe >= run->exe_count)
		return false;
	group = &run->groups[most.group];
	all = all_of(subject, &run->exes[group->parent_exe]);
	ns = most.ns * (double)group__children(group) * subject->scale.factor;
	ns = fmin(ns * run_subject__busy(subject) / subject->wall_ns, all); /* they waited for a CPU as all did */
	if (ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	share = run_subject__share(subject, ns);
	names = names_of(run, most.group);
	advice->evidence = text__of("%s child opens the same %" PRIu64 " files again%s, which its parent has not: "
				    "from the first to the last, %" PRIu64 " children take %s.",
				    most.by_all ? "Every" : "Nearly every", most.files, names, group__children(group),
				    share);
	advice->action = text__of("%s", "load them once, before the fork");
	advice->predicted_ns = (struct estimate){ .known = true, .bounded = true, .value = ns, .low = ns, .high = all };
	return true;
}
