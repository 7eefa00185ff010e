// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/rules.h"
#include "base/memory.h"
#include "model/estimate.h"

static const struct rule {
	const char *id, *title;
	rule_fn *look;
	const char *environment; /* to try it in; NULL: cannot be tried ... */
	const char *untried; /* ... for this reason */
} rules[] = {
#define RULE(id, name, title, environment, untried)                                                \
	{ id, title, rule__##name, environment, untried },
#include "advice/rules.def"
#undef RULE
};
enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

/*
 * From this share of a command's wall time on, the tax of forks is worth a look. (Not asked of
 * attached processes: they wait most of the time.)
 */
static const double WORTH_OF_WALL = 0.01;
/* Advice must save at least this share of the tax of a fork. */
static const double WORTH_SAYING = 0.02;

static bool is_worth_a_look(const struct run *run, const struct fork_bill *bill)
{
	return !bill->taxed || run->attached_count ||
	       fork_bill__tax_of_all(bill) >= WORTH_OF_WALL * (double)run->wall_ns;
}

static char *untried(const struct rule *rule)
{
	return rule->environment ? NULL : text__of("no: %s", rule->untried);
}

/* Advice without an estimate is given all the same. */
static bool is_worth_saying(const struct subject *subject, const struct advice *advice)
{
	return !advice->predicted_ns.known || subject->bill->tax <= 0 ||
	       advice->predicted_ns.value >= WORTH_SAYING * subject->bill->tax;
}

static void ask(struct anatomy *anatomy, const struct rule *rule, const struct subject *subject)
{
	struct advice advice = { .group = subject->index };

	if (!rule->look(subject, &advice) || !is_worth_saying(subject, &advice)) {
		free(advice.evidence);
		free(advice.action);
		free(advice.tried);
		return;
	}
	advice.rule = checked_strdup(rule->id);
	advice.title = checked_strdup(rule->title);
	if (!advice.tried)
		advice.tried = untried(rule);
	if (subject->bill->tax > 0 && subject->run->wall_ns) {
		double share = fork_bill__tax_of_all(subject->bill) / (double)subject->run->wall_ns;

		advice.share = estimate__of(fmin(share, 1)); /* more: side by side */
	}
	anatomy->advice = checked_grow(anatomy->advice, anatomy->advice_count, sizeof(advice));
	anatomy->advice[anatomy->advice_count++] = advice;
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

void advice__find(struct run *run, const struct fork_bills *bills)
{
	struct subject subject;

	for (size_t i = 0; i < bills->worthy; i++) {
		if (!is_worth_a_look(run, &bills->bills[i]))
			continue;
		subject__make(&subject, run, &bills->bills[i]);
		for (size_t k = 0; k < RULE_COUNT; k++)
			ask(run->anatomy, &rules[k], &subject);
	}
	sort(run);
}

const char *advice__environment(const struct advice *advice)
{
	for (size_t i = 0; !advice->tried && i < RULE_COUNT; i++)
		if (!strcmp(rules[i].id, advice->rule))
			return rules[i].environment;
	return NULL;
}
