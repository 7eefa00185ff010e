// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/advice/rule_words.h"

#include <stddef.h>
#include <string.h>

static const struct rule_words words[] = {
#define RULE(id, name, title, remedy, way, ...) { id, remedy, way },
#include "model/advice/rules.def"
#undef RULE
};

const struct rule_words *rule_words__of(const char *rule)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].rule, rule))
			return &words[i];
	return NULL;
}
