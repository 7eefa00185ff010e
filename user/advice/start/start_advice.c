// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/start/start_advice.h"

#include <stdlib.h>
#include <string.h>

#include "advice/start/rules_start.h"
#include "base/memory.h"
#include "base/text.h"

static const struct start_rule {
	const char *id, *title;
	start_rule_fn *look;
	const char *way; /* to try it; NULL: cannot be tried ... */
	const char *untried; /* ... for this reason, if the rule gives no other */
} rules[] = {
#define START_RULE(id, name, title, way, untried) { id, title, rule__##name, way, untried },
#include "advice/start/rules_start.def"
#undef START_RULE
};
enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

/* What advice would save must be at least this share of the start, as traced. */
static const double WORTH_SAYING = 0.02;

/* Advice without an estimate is given all the same. */
static bool is_worth_saying(const struct start *start, const struct advice *advice)
{
	return !advice->predicted_ns.known || start->marks.end == ABSENT ||
	       advice->predicted_ns.value >= WORTH_SAYING * (double)start->marks.end;
}

static bool is_set(const struct start_subject *subject, const char *way)
{
	for (char *const *entry = subject->environment; way && entry && *entry; entry++)
		if (!strcmp(*entry, way))
			return true;
	return false;
}

static void ask(struct start *start, const struct start_rule *rule,
		const struct start_subject *subject)
{
	struct advice advice = { .group = NO_GROUP };

	if (is_set(subject, rule->way) || !rule->look(subject, &advice) ||
	    !is_worth_saying(start, &advice)) {
		free(advice.evidence);
		free(advice.action);
		free(advice.tried);
		return;
	}
	advice.rule = checked_strdup(rule->id);
	advice.title = checked_strdup(rule->title);
	if (!rule->way && !advice.tried)
		advice.tried = text__of("no: %s", rule->untried);
	start->advice = checked_grow(start->advice, start->advice_count, sizeof(advice));
	start->advice[start->advice_count++] = advice;
}

static const char *program_of(const struct run *run)
{
	const struct exe *exe = run__first_exe(run);
	const char *path = exe ? exe__file(exe) : NULL;

	return path ? text__file_name(path) : NULL;
}

void start_advice__find(struct run *run, char *const *environment)
{
	const struct start_subject subject = {
		.run = run,
		.start = run->start,
		.syscall = &run->anatomy->costs[COST_SYSCALL],
		.program = program_of(run),
		.environment = environment,
	};

	/* With calls missing, what is left may look like anything. */
	for (size_t i = 0; i < RULE_COUNT && !run->start->missed; i++)
		ask(run->start, &rules[i], &subject);
}

const char *start_advice__way(const struct advice *advice)
{
	for (size_t i = 0; !advice->tried && i < RULE_COUNT; i++)
		if (!strcmp(rules[i].id, advice->rule))
			return rules[i].way;
	return NULL;
}
