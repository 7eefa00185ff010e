// SPDX-License-Identifier: GPL-2.0-or-later
/* R30: a program starts others again and again, and no other rule says what to do instead: whatever their names are. */
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "analysis/tree/launches.h"
#include "base/autofree.h"
#include "base/text.h"
#include "model/run/run_fields.h"

enum {
	STARTS_LEAST = 10,
	ROWS_LEAST = 4, /* with other arguments: the same on another input is no question to one program */
	ANSWER_NS_LEAST = 4 * 1000 * 1000, /* of CPU: what takes a shell less is R9's, if its line is known */
};
static const double SHARE_LEAST = 0.1, STARTING_LEAST = 0.5, SPECIFIC_LEAST = 0.5;

/* Programs that are started for one answer each, and what gives many. */
static const struct helper {
	const char *starter, *program, *argument, *remedy;
} helpers[] = {
#define HELPER(...) { __VA_ARGS__ },
#include "model/advice/helpers.def"
#undef HELPER
};

/* NULL: the table has none for such a start. */
static const char *remedy_for(const struct run_subject *subject, const struct execution *row)
{
	const char *starter = run_subject__name(subject, row->parent_exe);

	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		const struct helper *helper = &helpers[i];
		bool has_argument = !*helper->argument;

		for (size_t k = 1; k < row->argument_count; k++)
			has_argument |= !strcmp(row->arguments[k], helper->argument);
		if (has_argument && !strcmp(text__file_name(row->arguments[0]), helper->program) &&
		    !strncmp(starter, helper->starter, strlen(helper->starter)))
			return helper->remedy;
	}
	return NULL;
}

/* The remedy for what that parent starts, if what needs it is started often enough; else NULL. */
static const char *remedy_of(const struct run_subject *subject, const struct launches *launches)
{
	const struct executions *executions = subject->run->executions;
	const char *remedy = NULL;
	uint64_t starts = 0;

	for (size_t i = 0; launches->first && i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];
		const bool is_below = row->parent_exe == launches->first->parent_exe && row->argument_count;
		const char *own = is_below ? remedy_for(subject, row) : NULL;

		remedy = remedy ? remedy : own;
		starts += own && !strcmp(own, remedy) ? row->count : 0;
	}
	return starts >= STARTS_LEAST ? remedy : NULL;
}

/* Rules that know more of what is started. */
static run_rule_fn *const specific[] = {
	rule__r03_again, rule__r04_each, rule__r09_line, rule__r10_replaced, rule__r16_asked,
	rule__r25_login, rule__r26_starts, rule__r28_not_found,
};

static bool is_said(const struct run_subject *subject, double ns)
{
	bool is_said = false;

	for (size_t i = 0; i < sizeof(specific) / sizeof(specific[0]) && !is_said; i++) {
		struct advice advice = { 0 };

		is_said = specific[i](subject, &advice) && advice.predicted_ns.value >= SPECIFIC_LEAST * ns;
		shape__release(&advice_shape, &advice);
	}
	return is_said;
}

/* Of the dearest program: is its answer wanted, and is it to start it that takes the time, not what it works on? */
struct shape_of {
	uint64_t rows, count, captured;
	double cpu_ns, starts_ns, all_ns;
};

static struct shape_of shape_of(const struct run_subject *subject, const struct launches *launches)
{
	const struct executions *executions = subject->run->executions;
	const struct bill *bill = subject->run->bill;
	struct shape_of shape = { 0 };

	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];

		if (row->parent_exe != launches->first->parent_exe || row->exe != launches->first->exe)
			continue;
		shape.rows++;
		shape.count += row->count;
		shape.captured += row->captured;
		shape.cpu_ns += (double)row->cpu_ns;
	}
	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];
		const double ns = row->exe == launches->first->exe ? run_subject__wall(subject, row) : 0;

		shape.all_ns += ns;
		shape.starts_ns += row->kind == BILL_START ? ns : 0;
	}
	return shape;
}

/*
 * Is there a reason to believe that fewer starts would do: a line of a script that asks, or an answer that a program
 * takes, or a shell, if it takes long? Whether commands of -c ask for something new each time is not known.
 */
static bool would_fewer_do(const struct run_subject *subject, const struct launches *launches)
{
	const struct shape_of shape = shape_of(subject, launches);
	const bool answers = shape.captured == shape.count;

	if (launches->first->named)
		return answers || (!launches->below && shape.starts_ns >= STARTING_LEAST * shape.all_ns);
	return answers && (!run_subject__names_shell(run_subject__name(subject, launches->first->parent_exe)) ||
			   (shape.rows >= ROWS_LEAST &&
			    shape.cpu_ns >= (double)shape.count * ANSWER_NS_LEAST));
}

/* At most, what the program that starts them does for them is spared, too. */
static void predict(const struct run_subject *subject, const struct launches *launches, double ns,
		    struct advice *advice)
{
	const struct executions *executions = subject->run->executions;
	struct spared spared = { 0 };

	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];

		if (row->parent_exe == launches->first->parent_exe &&
		    (launches->programs || row->exe == launches->first->exe))
			spared__add(&spared, subject, row, 1);
	}
	advice->predicted_ns = estimate__at_most(ns);
	spared__widen(&spared, subject, 0, advice);
}

/* `remedy`: of the table; NULL: it has none. To be freed. */
static char *action_for(const struct run_subject *subject, const struct launches *launches, const char *remedy)
{
	const char *parent = run_subject__name(subject, launches->first->parent_exe);
	const char *what = launches->programs ? "these programs" : run_subject__name(subject, launches->first->exe);

	if (remedy)
		return text__copy(remedy);
	if (run_subject__names_shell(parent))
		return text__of("start %s less often: once for all, with what it says kept in a variable or a file, or "
				"let %s itself do it", what, parent);
	return text__of("start %s less often: once for all, with what it says kept, or use a library of %s, or one "
			"that keeps running, instead of programs", what, parent);
}

bool rule__r30_launches(const struct run_subject *subject, struct advice *advice)
{
	struct launches launches = launches__largest(subject->run);
	const double busy = run_subject__busy(subject), ns = launches.ns * subject->scale.factor;
	const char *remedy = remedy_of(subject, &launches);
	/* What all wait for in between, too. */
	const double all = ns * subject->wall_ns / busy;
	const double saved = remedy || !launches.count ? all : all * (1 - 1 / (double)launches.count);
	const bool speaks = ns > 0 && ns >= SHARE_LEAST * busy &&
			    (remedy ||
			     (launches.count >= STARTS_LEAST && would_fewer_do(subject, &launches) &&
			      !is_said(subject, saved)));

	if (speaks) {
		autofree char *words = launches__words(subject->run, &launches);
		autofree char *share = run_subject__share(subject, all);

		advice->evidence = text__of("%s With all that they start, that takes %s.", words, share);
		advice->action = action_for(subject, &launches, remedy);
		predict(subject, &launches, saved, advice);
	}
	launches__free(&launches);
	return speaks;
}
