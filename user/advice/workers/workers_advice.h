/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would give back the memory of a pool: the rules of model/advice/rules_workers.def, applied to its state and to
 * the watch over it. docs/use/workers.md explains every rule.
 */
#ifndef FORKTAX_ADVICE_WORKERS_WORKERS_ADVICE_H
#define FORKTAX_ADVICE_WORKERS_WORKERS_ADVICE_H

#include "model/workers/workers.h"

/* Fills workers->advice, which is empty before. */
void workers_advice__find(struct workers *workers);

#endif
