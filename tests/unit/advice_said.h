/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What rules of advice have said, whatever it is about.
 */
#ifndef FORKTAX_ADVICE_SAID_H
#define FORKTAX_ADVICE_SAID_H

#include "unit.h"

#include "advice/rule.h"

/* Bytes of a page of some kernels of arm64. A table of such pages has 2048 entries, for 32 MiB. */
enum { LARGE_PAGE = 16 << 10 };

/* The advice of that rule; NULL: it was silent. `of`: an anatomy, a start, or trials of a pool. */
#define ADVICE_OF(of, rule) advice_named((of)->advice, (of)->advice_count, rule)

static inline const struct advice *advice_named(const struct advice *list, size_t count, const char *rule)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].rule, rule))
			return &list[i];
	return NULL;
}

/* It was said, with that evidence, and what to do. */
static inline void assert_says(const struct advice *advice, const char *evidence)
{
	assert_non_null(advice);
	if (!strstr(advice->evidence, evidence))
		fail_msg("\"%s\" is not in \"%s\"", evidence, advice->evidence);
	assert_non_null(advice->action);
}

#endif
