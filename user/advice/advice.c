// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/advice.h"

#include <stdlib.h>
#include <string.h>

#include "advice/rules.h"
#include "base/memory.h"

/* Groups that are looked at: the share of the time of all forks that makes them worth it. */
enum { GROUPS_MOST = 3 };
static const double WORTH_A_LOOK = 0.1;
/* Likewise the share of a command's wall time. What is attached to waits most of the time. */
static const double WORTH_OF_WALL = 0.01;
/* Of the cost of a fork, what advice has to save to be given. */
static const double WORTH_SAYING = 0.02;

/* A group and the time of its forks. */
struct candidate {
	uint32_t group;
	double ns;
};

static int by_time(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->ns != b->ns)
		return (a->ns < b->ns) - (a->ns > b->ns);
	return (a->group > b->group) - (a->group < b->group);
}

/*
 * Groups by the time that their forks take. Where no fork was timed, by their number: nothing can be
 * said of shares then, but what is counted is.
 */
static size_t choose(const struct run *run, struct candidate *candidates)
{
	size_t count = 0, chosen = 0;
	double all = 0;

	for (uint32_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];
		double each, forks = (double)(group->children + group->unfinished);
		bool known = advice__fork_ns(run, i, &each);

		if (!anatomy__sample(run->anatomy, i))
			continue;
		all += known ? each * forks : forks;
		if (known && !run->attached_count &&
		    each * forks < WORTH_OF_WALL * (double)run->wall_ns)
			continue;
		candidates[count++] = (struct candidate){ i, known ? each * forks : forks };
	}
	qsort(candidates, count, sizeof(*candidates), by_time);
	while (chosen < count && chosen < GROUPS_MOST &&
	       candidates[chosen].ns >= WORTH_A_LOOK * all)
		chosen++;
	return chosen;
}

static char *untried(const struct rule *rule)
{
	return rule->environment ? NULL : text__of("no: %s", rule->untried);
}

/* What cannot be estimated is said all the same. */
static bool is_worth_saying(const struct subject *subject, const struct advice *advice)
{
	return !advice->predicted_ns.known || subject->fork_ns <= 0 ||
	       advice->predicted_ns.value >= WORTH_SAYING * subject->fork_ns;
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
	if (subject->fork_ns > 0 && subject->run->wall_ns) {
		double ns = subject->fork_ns * subject->children;

		advice.share = (struct figure){ .known = true,
						.value = ns / (double)subject->run->wall_ns };
		if (advice.share.value > 1) /* side by side */
			advice.share.value = 1;
		advice.share.low = advice.share.high = advice.share.value;
	}
	anatomy->advice = checked_grow(anatomy->advice, anatomy->advice_count, sizeof(advice));
	anatomy->advice[anatomy->advice_count++] = advice;
}

/* Without a prediction it goes last. qsort(3) has no context to hand on the run: a stable sort. */
static double saved_in_all(const struct run *run, const struct advice *advice)
{
	const struct group *group = &run->groups[advice->group];

	if (!advice->predicted_ns.known)
		return -1;
	return advice->predicted_ns.value * (double)(group->children + group->unfinished);
}

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

void advice__find(struct run *run)
{
	struct candidate *candidates = checked_calloc(run->group_count, sizeof(*candidates));
	size_t count = choose(run, candidates);
	struct subject subject;

	for (size_t i = 0; i < count; i++) {
		if (!subject__make(&subject, run, candidates[i].group))
			continue;
		for (size_t k = 0; k < rule_count; k++)
			ask(run->anatomy, &rules[k], &subject);
	}
	free(candidates);
	sort(run);
}

const char *advice__environment(const struct advice *advice)
{
	for (size_t i = 0; !advice->tried && i < rule_count; i++)
		if (!strcmp(rules[i].id, advice->rule))
			return rules[i].environment;
	return NULL;
}
