/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults added up, and what they cost on this machine by its calibration: with the undoing at the
 * child's end, which the time of a fault itself does not include.
 */
#ifndef FORKTAX_ADVICE_SAVING_H
#define FORKTAX_ADVICE_SAVING_H

#include "advice/copied.h"
#include "advice/subject.h"
#include "model/estimate.h"

struct saving {
	uint64_t all_faults, all_copies; /* of all recorded children */
	double faults; /* per child */
	double varying; /* of these, those that some children take and others do not */
	double copies; /* of these, COW copies and copies of file pages */
	double ns, low, high; /* calibrated, per child, and by the ends of its intervals */
	double measured_ns; /* as traced, of those that were timed */
	bool unknown; /* some cost is not known: ns, low and high mean nothing */
};

/* Adds one row of this group. */
void saving__add(struct saving *saving, const struct subject *subject,
		 const struct anatomy_row *row);

/* Adds all rows of the group for which `belongs` is true. */
typedef bool row_fn(const struct subject *subject, const struct anatomy_row *row);
void saving__add_all(struct saving *saving, const struct subject *subject, row_fn *belongs);

/* Adds `times` of a cost that is no fault. */
void saving__add_cost(struct saving *saving, const struct subject *subject, enum cost cost,
		      double times);

/* Adds time that is what it is; and time of which the bounds are known. */
void saving__add_ns(struct saving *saving, double ns);
void saving__add_range(struct saving *saving, double low, double value, double high);

/* Adds the copying of a parent's memory by fork, and its undoing. */
void saving__add_copying(struct saving *saving, const struct subject *subject,
			 const struct copied *copied);

/*
 * Adds what ld.so computes to bind: the symbols at the price of looking one up, which contains more
 * than that; at most what was traced, in which there is tracing.
 */
void saving__add_binding_code(struct saving *saving, const struct subject *subject);

/* Stores both as what following the advice would save. */
void saving__predict(const struct saving *saving, struct advice *advice);

#endif
