// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/rule.h"

#include <string.h>

#include "advice/rules.h"
#include "advice/run/rules_run.h"
#include "advice/start/rules_start.h"
#include "advice/workers/rules_workers.h"
#include "base/memory.h"
#include "model/run/run_fields.h"

/* Each rule takes its own kind of subject. */
#define RULE(id, name, ...)                                                                        \
	static bool ask__##name(const void *subject, struct advice *advice)                        \
	{                                                                                          \
		return rule__##name(subject, advice);                                              \
	}
#include "model/advice/rules.def"
#undef RULE

static const struct rule rules[] = {
#define RULE(id, name, title, remedy, way, untried, not_for)                                       \
	{ ABOUT, id, title, ask__##name, way, untried, not_for },
#define ABOUT ABOUT_FORKS
#include "model/advice/rules_forks.def"
#undef ABOUT
#define ABOUT ABOUT_START
#include "model/advice/rules_start.def"
#undef ABOUT
#define ABOUT ABOUT_WORKERS
#include "model/advice/rules_workers.def"
#undef ABOUT
#define ABOUT ABOUT_RUN
#include "model/advice/rules_run.def"
#undef ABOUT
#undef RULE
};
enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

static bool is_set(const struct rule_question *question, const char *way)
{
	for (char *const *entry = question->environment; way && entry && *entry; entry++)
		if (!strcmp(*entry, way))
			return true;
	return false;
}

/* Advice without an estimate of the time is given all the same. */
static bool is_worth_saying(const struct rule_question *question, const struct advice *advice)
{
	return !advice->predicted_ns.known || advice->predicted_ns.value >= question->least_ns;
}

static void ask(const struct rule *rule, const struct rule_question *question, struct advice **list, size_t *count)
{
	struct advice advice = { .group = question->group };

	if (is_set(question, rule->way))
		return;
	if (!rule->look(question->subject, &advice) || !is_worth_saying(question, &advice)) {
		shape__release(&advice_shape, &advice);
		return;
	}
	advice.rule = checked_strdup(rule->id);
	if (!advice.title)
		advice.title = checked_strdup(rule->title);
	if (rule->not_for)
		advice.not_for = checked_strdup(rule->not_for);
	if (!rule->way && !advice.way && !advice.tried)
		advice.tried = text__of("no: %s", rule->untried);
	*list = checked_grow(*list, *count, sizeof(advice));
	(*list)[(*count)++] = advice;
}

void rules__ask(const struct rule_question *question, struct advice **list, size_t *count)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		if (rules[i].about == question->about)
			ask(&rules[i], question, list, count);
}

/* The rule that gave it; NULL: there is none of that name (in a file of another version). */
static const struct rule *rule__of(const struct advice *advice)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		if (!strcmp(rules[i].id, advice->rule))
			return &rules[i];
	return NULL;
}

const char *advice__way(const struct advice *advice)
{
	const struct rule *rule = advice->tried ? NULL : rule__of(advice);

	if (rule && advice->way)
		return advice->way;
	return rule ? rule->way : NULL;
}
