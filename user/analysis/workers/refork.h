/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Predicts what restarting the workers of a pool after some time would save, from how their
 * copies grew since their births. docs/workers.md has the definitions ("Restarted workers").
 */
#ifndef FORKTAX_ANALYSIS_WORKERS_REFORK_H
#define FORKTAX_ANALYSIS_WORKERS_REFORK_H

#include "model/anatomy.h"
#include "model/workers_flow.h"

/* Fills flow->refork but for what it costs; an empty list if no worker was seen from its birth on. */
void refork__predict(struct workers_flow *flow);
/* Does it save something that can be seen? If not, its costs need not be known. */
bool refork__is_worth(const struct workers_flow *flow);
/* What a fork of a process with so many pages side by side costs here, its end included. */
struct estimate refork__fork_ns(const struct estimate costs[COST_COUNT], uint64_t pages);
/* Fills what it costs, by that and by what a copy costs. */
void refork__add_costs(struct workers_flow *flow, struct estimate fork_ns, struct estimate copy_ns);
/*
 * The period to advise: it saves most of those that cost at most a hundredth of a CPU; NULL: none
 * is worth it.
 */
const struct flow_refork *refork__best(const struct workers_flow *flow);

#endif
