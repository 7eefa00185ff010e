/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule looks at a pool after its load, and speaks only if it finds evidence.
 */
#ifndef FORKTAX_ADVICE_WORKERS_RULES_WORKERS_H
#define FORKTAX_ADVICE_WORKERS_RULES_WORKERS_H

#include <stdbool.h>

#include "base/page.h"
#include "base/text.h"
#include "model/workers/workers.h"

struct pool_subject {
	const struct workers *state; /* after the load */
	const struct worker_pages *sum; /* of all workers */
	const struct pool_sample *sample; /* the pool as it is, in the first round */
	uint64_t worth; /* bytes; less is not worth saying */
	bool python, ruby, glibc; /* by the files that workers have mapped */
	/* Saved by gc.freeze, bytes; not known: it was not tried, or not yet. */
	struct estimate freeze;
};

/* With as many more of unknown origin, if these were looked at (not in older files). */
uint64_t with_perhaps(uint64_t sure, uint64_t perhaps);
/* Something from nothing up to that. */
struct estimate saving__up_to(double bytes);

typedef bool workers_rule_fn(const struct pool_subject *subject, struct advice *advice); /* rule.h */
#define RULE(id, name, ...) workers_rule_fn rule__##name;
#include "model/advice/rules_workers.def"
#undef RULE

#endif
