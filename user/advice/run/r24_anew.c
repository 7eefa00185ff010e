// SPDX-License-Identifier: GPL-2.0-or-later
/* R24: a program starts itself again and again, and each of these does at its start what the others have done. */
#include <inttypes.h>
#include <math.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_children.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/text.h"

static const double SHARE_LEAST = 0.1;

/* All that a program that has started itself does then. */
static struct spared spared_of(const struct run_subject *subject, const struct exe *exe)
{
	const struct run *run = subject->run;
	struct spared spared = { 0 };

	for (size_t i = 0; i < run->executions->count; i++) {
		const struct execution *row = &run->executions->rows[i];

		if (row->exe < run->exe_count && row->exe == row->parent_exe && exe__is_same(&run->exes[row->exe], exe))
			spared__add(&spared, subject, row, 1);
	}
	return spared;
}

bool rule__r24_anew(const struct run_subject *subject, struct advice *advice)
{
	const struct run *run = subject->of_files;
	const struct same_work most = run ? same_work__most(run, true) : (struct same_work){ 0 };
	const struct group *group = most.ns > 0 ? &run->groups[most.group] : NULL;
	const struct run_subject of_files = { .run = run };
	autofree char *share = NULL, *names = NULL;
	struct spared spared;
	double ns, all;

	if (!group || !subject->run->executions)
		return false;
	spared = spared_of(subject, &run->exes[group->parent_exe]);
	all = spared.ns * subject->scale.factor;
	/* They waited for a CPU as all did; and where several run at once, each has a part of the clock. */
	ns = most.ns * (double)group__children(group) * subject->scale.factor;
	ns *= run_subject__busy(subject) / subject->wall_ns * fmin(1, spared.ns / fmax(1, spared.cpu_ns));
	ns = fmin(ns, all);
	if (ns < SHARE_LEAST * run_subject__busy(subject))
		return false;
	share = run_subject__share(subject, ns);
	names = same_work__names(run, &most);
	advice->evidence = text__of("%s starts itself %" PRIu64 " times, and %s of these opens the same %" PRIu64
				    " files again%s: from the first to the last, that takes %s.",
				    run_subject__name(&of_files, group->parent_exe), group__children(group),
				    most.by_all ? "each" : "nearly each", most.files, names, share);
	advice->action = text__of("start fewer that live longer, or fork them from a process that has loaded these "
				  "files");
	/* One has to do it, and how many more of them stay is not known. */
	advice->predicted_ns = (struct estimate){ .known = true, .bounded = true, .high = all };
	advice->predicted_ns.value = ns * (1 - 1 / (double)group__children(group));
	return true;
}
