// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/advice.h"

#include <math.h>

#include "advice/rules.h"
#include "advice/rule.h"
#include "advice/subject.h"
#include "base/quantity.h"
#include "base/text.h"
#include "model/estimate.h"

/*
 * From this share of a command's wall time on, the overhead of forks is worth a look. (Not asked of
 * attached processes: they wait most of the time.)
 */
static const double WORTH_OF_WALL = 0.01;
/* Advice must save at least this share of the overhead of a fork. */
static const double WORTH_SAYING = 0.02;

static bool is_worth_a_look(const struct run *run, const struct fork_breakdown *breakdown)
{
	return !breakdown->has_overhead || run__is_attached(run) ||
	       fork_breakdown__overhead_of_all(breakdown) >= WORTH_OF_WALL * (double)run->wall_ns;
}

/* Of these rules a part of the saving is the child's own work, which is no overhead. */
static bool is_about_work(const struct advice *advice)
{
	static const char *const rules[] = { "A3", "A5", "A11", "A12", NULL };

	return text__is_any(advice->rule, rules);
}

/*
 * No more is saved than the fork costs: what was measured limits what calibrated costs add up to. A prediction that
 * does not fit in at all is only known to be no more than that.
 */
static void limit(const struct subject *subject, struct advice *advice)
{
	const struct fork_breakdown *breakdown = subject->breakdown;
	const double most = breakdown->overhead + (is_about_work(advice) ? breakdown->lines[BREAKDOWN_RUN].ns : 0);
	struct estimate *ns = &advice->predicted_ns;

	if (!ns->known || !breakdown->has_overhead || (ns->value <= most && ns->high <= most))
		return;
	if (ns->value > most)
		text__replace(&advice->evidence, "%s By the costs of this machine it would save %s, which is more than "
			      "a fork costs here: no more than that is predicted.",
			      advice->evidence, quantity__time(ns->value).text);
	*ns = (struct estimate){ true, true, fmin(ns->value, most), ns->value > most ? 0 : ns->low, most };
}

static void ask(struct anatomy *anatomy, const struct subject *subject)
{
	const double overhead = subject->breakdown->overhead;
	const struct rule_question question = {
		.about = ABOUT_FORKS,
		.subject = subject,
		.group = subject->index,
		.least_ns = overhead > 0 ? WORTH_SAYING * overhead : -INFINITY,
	};
	size_t before = anatomy->advice_count;

	rules__ask(&question, &anatomy->advice, &anatomy->advice_count);
	for (size_t i = before; i < anatomy->advice_count; i++) {
		limit(subject, &anatomy->advice[i]);
		fork_on_path__weigh(subject, &anatomy->advice[i]);
	}
	if (overhead <= 0 || !subject->run->wall_ns)
		return;
	for (size_t i = before; i < anatomy->advice_count; i++) {
		double share = fork_breakdown__overhead_of_all(subject->breakdown) / (double)subject->run->wall_ns;

		anatomy->advice[i].share = estimate__of(fmin(share, 1)); /* more: side by side */
	}
}

/* Advice without a prediction goes last. */
static double saved_in_all(const struct run *run, const struct advice *advice)
{
	const struct group *group = &run->groups[advice->group];

	if (!advice->predicted_ns.known)
		return -1;
	return advice->predicted_ns.value * (double)group__children(group);
}

/* Stable: the order of the rules stays among equals. */
static void sort(struct run *run)
{
	struct advice *all = run->anatomy->advice;

	for (size_t i = 1; i < run->anatomy->advice_count; i++) {
		struct advice moved = all[i];
		size_t k = i;

		for (; k > 0 && saved_in_all(run, &all[k - 1]) < saved_in_all(run, &moved); k--)
			all[k] = all[k - 1];
		all[k] = moved;
	}
}

void advice__find(struct run *run, const struct fork_breakdowns *breakdowns)
{
	struct subject subject;

	for (size_t i = 0; i < breakdowns->worthy; i++) {
		if (!is_worth_a_look(run, &breakdowns->breakdowns[i]))
			continue;
		subject__make(&subject, run, &breakdowns->breakdowns[i]);
		ask(run->anatomy, &subject);
	}
	sort(run);
}
