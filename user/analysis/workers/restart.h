/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Predicts what restarting the workers of a pool after some time would save, from how their
 * copies grew since their births. docs/use/workers.md has the definitions ("Restarted workers").
 */
#ifndef FORKTAX_ANALYSIS_WORKERS_RESTART_H
#define FORKTAX_ANALYSIS_WORKERS_RESTART_H

#include "model/anatomy/anatomy.h"
#include "model/workers/workers_flow.h"

/* Fills flow->restart but for what it costs; an empty list if no worker was seen from its birth on. */
void restart__predict(struct workers_flow *flow);
/* Does it save something that can be seen? If not, its costs need not be known. */
bool restart__is_worth(const struct workers_flow *flow);
/* What a fork of a process with so many pages, of so many bytes, side by side costs here, its end included. */
struct estimate restart__fork_ns(const struct estimate costs[COST_COUNT], uint64_t pages, uint64_t page_bytes);
/* Fills in what a restart costs, from the costs of a fork and of a copied page. */
void restart__add_costs(struct workers_flow *flow, struct estimate fork_ns,
			struct estimate copy_ns);
/*
 * The period to advise: it saves most of those that cost at most a hundredth of a CPU; NULL: none
 * is worth it.
 */
const struct flow_restart *restart__best(const struct workers_flow *flow);

#endif
