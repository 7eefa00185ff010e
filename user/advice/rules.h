/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule: looks at one group of children, and says something only if it has found evidence.
 */
#ifndef FORKTAX_ADVICE_RULES_H
#define FORKTAX_ADVICE_RULES_H

#include "advice/subject.h"

/*
 * Returns true after it has filled evidence, action and what it predicts; everything else is the
 * caller's. Evidence is complete sentences: how much was counted, on how many children, who pays.
 */
typedef bool rule_fn(const struct subject *subject, struct advice *advice);

enum { NAMES_MOST = 4 }; /* in a sentence of evidence */

#define RULE(id, name, title, environment, untried) rule_fn rule__##name;
#include "advice/rules.def"
#undef RULE

#endif
