// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/rules.h"

const struct rule rules[] = {
#define RULE(id, name, title, environment, untried)                                                \
	{ id, title, rule__##name, environment, untried },
#include "advice/rules.def"
#undef RULE
};

const size_t rule_count = sizeof(rules) / sizeof(rules[0]);
