/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Children that leave by exit(): where in their faults that begins.
 */
#ifndef FORKTAX_ADVICE_AT_EXIT_H
#define FORKTAX_ADVICE_AT_EXIT_H

#include "advice/subject.h"

/* A fault of code that runs because of exit(), by its symbol. */
bool at_exit__is(const struct subject *subject, const struct anatomy_row *row);

/* The first fault of exit code that every recorded child takes; NULL. */
const struct anatomy_row *at_exit__begin(const struct subject *subject);

/*
 * A fault in user mode after that: nobody returns from exit(). Means of times compare if they are
 * over the same children.
 */
bool at_exit__is_after(const struct subject *subject, const struct anatomy_row *row,
		       const struct anatomy_row *begin);

/*
 * What children compute from there until they are gone, ns, without so many faults that took so
 * long: at most, as what tracing takes between these is at least taken off. 0: not known.
 */
double at_exit__code(const struct subject *subject, const struct anatomy_row *begin, double faults,
		     double faults_ns);

#endif
