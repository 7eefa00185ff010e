/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule looks at a pool, and at the watch over it if there was one, and speaks only if it finds evidence.
 */
#ifndef FORKTAX_ADVICE_WORKERS_RULES_WORKERS_H
#define FORKTAX_ADVICE_WORKERS_RULES_WORKERS_H

#include <stdbool.h>

#include "base/page.h"
#include "base/text.h"
#include "model/workers/workers.h"

struct pool_subject {
	const struct workers *state;
	const struct workers_flow *flow; /* NULL: it was not watched */
	const struct worker_pages *sum; /* of all workers */
	uint64_t worth; /* bytes; less is not worth saying */
	struct workers_writers writers; /* of Python */
	bool ruby, php; /* by the files that workers have mapped */
	const char *program; /* name of the pool's program; NULL: not known */
};

/* Something from nothing up to that. */
struct estimate saving__up_to(double bytes);
/* Copies with other contents than the master has. */
uint64_t subject__changed_pages(const struct pool_subject *subject);
/* Has the collector of Ruby written the ages of objects in them? */
bool subject__shows_ages(const struct pool_subject *subject);

typedef bool workers_rule_fn(const struct pool_subject *subject, struct advice *advice); /* rule.h */
#define RULE(id, name, ...) workers_rule_fn rule__##name;
#include "model/advice/rules_workers.def"
#undef RULE

#endif
