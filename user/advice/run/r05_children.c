// SPDX-License-Identifier: GPL-2.0-or-later
/* R5: every child opens the same files, which its parent has not: what it does with them could be done once. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_children.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

static const double SHARE_LEAST = 0.05;

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
	const struct same_work most = run ? same_work__most(run, false) : (struct same_work){ 0 };
	autofree char *share = NULL, *names = NULL;
	const struct group *group;
	double ns, all;

	if (most.ns <= 0 || run->groups[most.group].parent_exe >= run->exe_count)
		return false;
	group = &run->groups[most.group];
	all = all_of(subject, &run->exes[group->parent_exe]);
	ns = most.ns * (double)group__children(group) * subject->scale.factor;
	ns = fmin(ns * run_subject__busy(subject) / subject->wall_ns, all); /* they waited for a CPU as all did */
	if (ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	share = run_subject__share(subject, ns);
	names = same_work__names(run, &most);
	advice->evidence = text__of("%s child opens the same %" PRIu64 " files again%s, which its parent has not: "
				    "from the first to the last, %" PRIu64 " children take %s.",
				    most.by_all ? "Every" : "Nearly every", most.files, names, group__children(group),
				    share);
	advice->action = text__of("%s", "load them once, before the fork");
	advice->predicted_ns = (struct estimate){ .known = true, .bounded = true, .value = ns, .low = ns, .high = all };
	return true;
}
