/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The frame of all advice, whatever it is about: what a rule is, and how rules are asked. Each rule is a
 * file, and a row of model/advice/rules_*.def.
 */
#ifndef FORKTAX_ADVICE_RULE_H
#define FORKTAX_ADVICE_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/advice/advised.h"

enum rule_about { ABOUT_FORKS, ABOUT_START, ABOUT_RUN, ABOUT_WORKERS };

/*
 * Returns true if it has filled evidence, action and, if it can, predictions; the caller fills the
 * rest. Evidence is complete sentences: how much was counted, on whom, who pays. `subject` is what rules
 * about that look at: struct subject, start_subject, run_subject, pool_subject.
 */
typedef bool rule_fn(const void *subject, struct advice *advice);

struct rule {
	enum rule_about about;
	const char *id, *title;
	rule_fn *look;
	const char *way; /* how it can be tried; NULL: it cannot ... */
	const char *untried; /* ... for this reason, if the rule gives no other */
	const char *not_for; /* NULL: nothing is known of that */
};

struct rule_question {
	enum rule_about about;
	const void *subject;
	uint32_t group; /* of children; NO_GROUP: none */
	double least_ns; /* advice that is predicted to save less is not worth saying */
	char *const *environment; /* where a rule's way is set already, it is not asked; NULL: not known */
};

/* Appends what the rules have to say, in their order. */
void rules__ask(const struct rule_question *question, struct advice **list, size_t *count);

/*
 * How to try it without rebuilding anything: of forks, starts and runs a setting of the environment, NAME=VALUE (add a
 * value of GLIBC_TUNABLES to what is set already) or NAME, which is left out; of starts and runs also an option ("-I")
 * that goes behind argv[0], of runs a limit ("ulimit -n 256"); of pools a line for a shell. NULL: it cannot be tried
 * this way, or `advice->tried` says already what came of it.
 */
const char *advice__way(const struct advice *advice);

#endif
