/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would give back the memory of a pool: the rules of model/advice/rules_workers.def, applied to its state after
 * a load, and to what trials have shown. docs/use/workers.md explains every rule.
 */
#ifndef FORKTAX_ADVICE_WORKERS_WORKERS_ADVICE_H
#define FORKTAX_ADVICE_WORKERS_WORKERS_ADVICE_H

#include "model/workers/workers.h"

/*
 * Replaces workers->trials->advice. The first trial must have a sample. Call it before the trials, to
 * know what to try, and after them.
 */
void workers_advice__find(struct workers *workers);
/* How to try it: POOL_AS_IS if it cannot be tried. */
enum pool_way workers_advice__way(const struct advice *advice);

#endif
