/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults added up, and what they cost on this machine by its calibration: with the undoing at the
 * child's end, which the time of a fault itself does not include.
 */
#ifndef FORKTAX_ADVICE_TALLY_H
#define FORKTAX_ADVICE_TALLY_H

#include "advice/copied.h"
#include "advice/matter.h"

struct tally {
	uint64_t all_faults, all_copies; /* of all recorded children */
	double faults; /* per child */
	double varying; /* of these, those that some children take and others do not */
	double copies; /* of these, COW copies and copies of file pages */
	double ns, low, high; /* calibrated, per child, and by the ends of its intervals */
	double measured_ns; /* as traced, of those that were timed */
	bool unknown; /* some cost is not known: ns, low and high mean nothing */
};

/* Adds one row of this group. */
void tally__add(struct tally *tally, const struct matter *matter, const struct anatomy_row *row);

/* Adds all rows of the group for which `belongs` is true. */
typedef bool row_fn(const struct matter *matter, const struct anatomy_row *row);
void tally__add_all(struct tally *tally, const struct matter *matter, row_fn *belongs);

/* Adds `times` of a cost that is no fault. */
void tally__add_cost(struct tally *tally, const struct matter *matter, enum cost cost,
		     double times);

/* Adds time that is what it is; and time of which the bounds are known. */
void tally__add_ns(struct tally *tally, double ns);
void tally__add_range(struct tally *tally, double low, double value, double high);

/* Adds the copying of a parent's memory by fork, and its undoing. */
void tally__add_copying(struct tally *tally, const struct matter *matter,
			const struct copied *copied);

/*
 * Adds what ld.so computes to bind: the symbols at the price of looking one up, which contains more
 * than that; at most what was traced, in which there is tracing.
 */
void tally__add_binding_code(struct tally *tally, const struct matter *matter);

/* Stores both as what following the advice would save. */
void tally__predict(const struct tally *tally, struct advice *advice);

/* An estimate without an interval; an exact one. */
struct figure figure__of(double value);

/* Makes the interval hold these as well. */
void figure__widen(struct figure *figure, double low, double high);

#endif
