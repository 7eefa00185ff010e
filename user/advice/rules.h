/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule looks at one group of children, and speaks only if it finds evidence.
 */
#ifndef FORKTAX_ADVICE_RULES_H
#define FORKTAX_ADVICE_RULES_H

#include "advice/subject.h"

enum { NAMES_MOST = 4 }; /* in a sentence of evidence */

typedef bool fork_rule_fn(const struct subject *subject, struct advice *advice); /* rule.h */
#define RULE(id, name, ...) fork_rule_fn rule__##name;
#include "model/advice/rules_forks.def"
#undef RULE

/*
 * Lowers the predicted time of a fork to what fewer forks can save of the critical path, and says so. Nothing
 * changes where the path is not known, or where it has more than is predicted.
 */
void fork_on_path__weigh(const struct subject *subject, struct advice *advice);

#endif
