/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order in which advice is shown: what was measured to help, the best first; then what was not
 * tried, by what it should save; last what was tried without a saving that its interval shows.
 */
#ifndef FORKTAX_REPORT_ANATOMY_ADVICE_ORDER_H
#define FORKTAX_REPORT_ANATOMY_ADVICE_ORDER_H

#include <stddef.h>

#include "model/run.h"

struct advice_order {
	const struct advice **list;
	size_t count;
	size_t useful; /* of these, the first: those that no trial has refuted */
};

/* The advice of forks (run->anatomy), or of a start. */
struct advice_order advice_order__of_forks(const struct run *run);
struct advice_order advice_order__of_start(const struct run *run);
void advice_order__free(struct advice_order *order);

/* With its trial's result? */
bool advice__is_measured(const struct advice *advice);

#endif
