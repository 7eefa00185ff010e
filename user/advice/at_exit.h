/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Children that leave by exit(): at which of their faults that begins.
 */
#ifndef FORKTAX_ADVICE_AT_EXIT_H
#define FORKTAX_ADVICE_AT_EXIT_H

#include "advice/saving.h"

/* Is this a fault of code that exit() runs, by its symbol? None is, of children that bind _exit() instead. */
bool at_exit__is(const struct subject *subject, const struct anatomy_row *row);

/* Is any of it code that nothing but exit() runs, or do children bind exit()? dlclose() runs destructors, too. */
bool at_exit__is_sure(const struct subject *subject);

/* Do children bind exit() itself? */
bool at_exit__binds(const struct subject *subject);

/* The first fault of exit code that every recorded child takes; NULL. */
const struct anatomy_row *at_exit__begin(const struct subject *subject);

/*
 * Is this a fault in user mode after that? Nobody returns from exit(). True only of faults of the
 * same children: means of times do not compare otherwise.
 */
bool at_exit__is_after(const struct subject *subject, const struct anatomy_row *row, const struct anatomy_row *begin);

/*
 * When it begins, ns after the fork: with that fault, or when all of them bind exit(), whose handlers may
 * compute before they fault. INFINITY: not known.
 */
double at_exit__since(const struct subject *subject, const struct anatomy_row *begin);

/*
 * What children compute from `since` (ns after the fork) until they are gone, ns, without the faults of
 * `saving`, which they take in that time. An upper bound: it subtracts the least that tracing takes. 0: not
 * known.
 */
double at_exit__code(const struct subject *subject, double since, const struct saving *saving);

#endif
