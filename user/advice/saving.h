/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults added up, and their calibrated cost on this machine. That includes undoing them at the
 * child's end, which the time of the fault itself does not.
 */
#ifndef FORKTAX_ADVICE_SAVING_H
#define FORKTAX_ADVICE_SAVING_H

#include "advice/subject.h"
#include "analysis/forks/copied.h"
#include "model/estimate.h"

struct saving {
	uint64_t all_faults, all_copies; /* of all recorded children */
	double faults; /* per child */
	double varying; /* the part that some children take and others do not */
	double beyond; /* not among these: that may go with them */
	double copies; /* the part that is COW copies and copies of file pages */
	double ns, low, high; /* calibrated, per child; and by the ends of its intervals */
	double measured_ns; /* as traced, of the timed faults */
	bool unknown; /* some cost is not known: ns, low and high mean nothing */
};

/* Adds one row of this group. */
void saving__add(struct saving *saving, const struct subject *subject, const struct anatomy_row *row);

/* Adds all rows of the group for which `belongs` is true. */
typedef bool row_fn(const struct subject *subject, const struct anatomy_row *row);
void saving__add_all(struct saving *saving, const struct subject *subject, row_fn *belongs);

/* Adds `times` of a cost that is no fault. */
void saving__add_cost(struct saving *saving, const struct subject *subject, enum cost cost, double times);

/*
 * Adds what a fork of the smallest process costs, without the faults that it takes itself: its child maps the
 * page of code that it runs, and its parent writes to its stack. (Of other forks these faults are in rows.)
 */
void saving__add_smallest_fork(struct saving *saving, const struct subject *subject);

/* Adds a time with its bounds. */
void saving__add_range(struct saving *saving, double low, double value, double high);

/* Adds the copying of a parent's memory by fork, and its undoing. */
void saving__add_copying(struct saving *saving, const struct subject *subject, const struct copied *copied);

/*
 * Adds what ld.so computes to bind: the cost of looking up one symbol (which contains more than
 * that) for each; at most what was traced (which contains tracing).
 */
void saving__add_binding_code(struct saving *saving, const struct subject *subject);

/* Stores faults and time as what following the advice would save. */
void saving__predict(const struct saving *saving, struct advice *advice);

#endif
