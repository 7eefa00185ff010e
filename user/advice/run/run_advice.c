// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/run/run_advice.h"

#include <math.h>
#include <sys/resource.h>

#include "advice/rule.h"
#include "advice/run/rules_run.h"

/* What advice would save must be at least this share of the run. */
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

void run_advice__find(struct run *run, char *const *environment)
{
	const struct bill *bill = run->bill;
	struct run_subject subject = { .run = run, .environment = environment, .open_files_most = open_files_most() };
	struct rule_question question = { .about = ABOUT_RUN, .subject = &subject, .group = NO_GROUP };

	if (!bill || !bill->count || !bill->wall_ns)
		return;
	subject.scale = bill__scale(bill);
	subject.wall_ns = wall_of(bill);
	if (run->critical_path && run->critical_path->wall_ns)
		subject.path = run->critical_path;
	question.least_ns = WORTH_SAYING * subject.wall_ns;
	rules__ask(&question, &run->advice, &run->advice_count);
	limit_savings(run, subject.wall_ns);
}
