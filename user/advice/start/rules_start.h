/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule looks at the start of a command, and speaks only if it finds evidence.
 */
#ifndef FORKTAX_ADVICE_START_RULES_START_H
#define FORKTAX_ADVICE_START_RULES_START_H

#include <stdbool.h>

#include "model/run/run.h"

struct start_subject {
	const struct run *run;
	const struct start *start;
	const struct estimate *syscall; /* what the least call costs here; may be not known */
	const char *program; /* name of the executable, without directories; NULL: not known */
	char *const *environment; /* of the command; NULL: not known */
};

/* Is the C library glibc? Other dynamic linkers, such as musl's, always bind at once. */
bool start_subject__has_glibc(const struct start_subject *subject);

typedef bool start_rule_fn(const struct start_subject *subject, struct advice *advice); /* rule.h */
#define RULE(id, name, ...) start_rule_fn rule__##name;
#include "model/advice/rules_start.def"
#undef RULE

#endif
