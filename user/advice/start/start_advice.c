// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/start/start_advice.h"

#include <math.h>

#include "advice/rule.h"
#include "advice/start/rules_start.h"
#include "analysis/start/start_answer.h"
#include "base/text.h"

/* What advice would save must be at least this share of the start, as traced. */
static const double WORTH_SAYING = 0.02;

static const char *program_of(const struct run *run)
{
	const struct exe *exe = run__first_exe(run);
	const char *path = exe ? exe__file(exe) : NULL;

	return path ? text__file_name(path) : NULL;
}

/* No more is saved than the start takes. */
static void limit(struct start *start)
{
	const double most = start->marks.end == ABSENT ? INFINITY : start_answer__of(start).all;

	for (size_t i = 0; i < start->advice_count; i++) {
		estimate__lower(&start->advice[i].predicted_ns, most);
		start->advice[i].predicted_ns.high = fmin(start->advice[i].predicted_ns.high, most);
	}
}

void start_advice__find(struct run *run, char *const *environment)
{
	struct start *start = run->start;
	const struct start_subject subject = {
		.run = run,
		.start = start,
		.syscall = &run->anatomy->costs[COST_SYSCALL],
		.program = program_of(run),
		.environment = environment,
	};
	const struct rule_question question = {
		.about = ABOUT_START,
		.subject = &subject,
		.group = NO_GROUP,
		.least_ns = start->marks.end == ABSENT ? -INFINITY : WORTH_SAYING * (double)start->marks.end,
		.environment = environment,
	};

	if (!start->missed) /* else what is left may look like anything */
		rules__ask(&question, &start->advice, &start->advice_count);
	limit(start);
}
