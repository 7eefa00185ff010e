// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/run/run_advice.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "advice/rule.h"
#include "advice/run/rules_run.h"
#include "advice/run/run_children.h"
#include "advice/run/run_waits.h"

/* What advice would save must be at least this share of the run, without waiting for a CPU. */
static const double WORTH_SAYING = 0.02;

static uint64_t open_files_most(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY ? ABSENT : limit.rlim_cur;
}

static double wall_of(const struct bill *bill)
{
	return (double)(bill->untraced_wall_ns ? bill->untraced_wall_ns : bill->wall_ns);
}

/* No more is saved than the run takes. */
static void limit_savings(struct run *run, double most)
{
	for (size_t i = 0; i < run->advice_count; i++) {
		estimate__lower(&run->advice[i].predicted_ns, most);
		run->advice[i].predicted_ns.high = fmin(run->advice[i].predicted_ns.high, most);
	}
}

void run_advice__find(struct run *run, const struct run *of_files, char *const *environment)
{
	const struct bill *bill = run->bill;
	struct run_subject subject = { .run = run, .environment = environment, .open_files_most = open_files_most() };
	struct rule_question question = { .about = ABOUT_RUN, .subject = &subject, .group = NO_GROUP };

	if (!bill || !bill->count || !bill->wall_ns)
		return;
	subject.of_files = of_files && of_files->files ? of_files : NULL;
	subject.scale = bill__scale(bill);
	subject.wall_ns = wall_of(bill);
	if (run->critical_path && run->critical_path->wall_ns)
		subject.path = run->critical_path;
	question.least_ns = WORTH_SAYING * run_subject__busy(&subject);
	rules__ask(&question, &run->advice, &run->advice_count);
	limit_savings(run, subject.wall_ns);
}

/* What sleep(1) waits for is known. */
bool run_advice__needs_waits(const struct run *run)
{
	const struct critical_path *path = run->critical_path;
	const struct run_subject subject = { .run = run };
	uint64_t ns = 0;

	for (size_t i = 0; path && i < path->program_count; i++)
		if (strcmp(run_subject__name(&subject, path->programs[i].exe), "sleep") != 0)
			ns += path__asleep(path->programs[i].ns);
	return ns && (double)ns >= WAITS_SHARE_LEAST * (double)path->wall_ns;
}

bool run_advice__needs_files(const struct run *run)
{
	enum { CHILDREN_LEAST = 3, FILES_LEAST = 5, FILES_ANEW_LEAST = 20 };

	for (size_t i = 0; run->bill && i < run->group_count; i++) {
		const struct group *group = &run->groups[i];
		const struct syscall_row *opens = syscall_table__find(&group->table, "openat", ABI_NATIVE);
		const uint64_t children = group__children(group);
		const bool are_many = opens && children >= CHILDREN_LEAST;
		const uint64_t each = are_many ? syscall_row__sum(opens->calls) / children : 0;

		if (group->exec_target == NO_EXE ? each >= FILES_LEAST :
						   each >= FILES_ANEW_LEAST && group__starts_anew(run, group))
			return true;
	}
	return false;
}
