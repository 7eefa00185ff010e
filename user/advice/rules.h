/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule looks at one group of children, and speaks only if it finds evidence.
 */
#ifndef FORKTAX_ADVICE_RULES_H
#define FORKTAX_ADVICE_RULES_H

#include "advice/subject.h"

/*
 * Returns true if it has filled evidence, action and predictions; the caller fills the rest.
 * Evidence is complete sentences: how much was counted, on how many children, who pays.
 */
typedef bool rule_fn(const struct subject *subject, struct advice *advice);

enum { NAMES_MOST = 4 }; /* in a sentence of evidence */

#define RULE(id, name, title, environment, untried) rule_fn rule__##name;
#include "advice/rules.def"
#undef RULE

#endif
