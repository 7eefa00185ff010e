/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a start would save, of calls and of page faults.
 */
#ifndef FORKTAX_ADVICE_START_START_SAVING_H
#define FORKTAX_ADVICE_START_START_SAVING_H

#include "advice/saving.h"
#include "advice/start/rules_start.h"

/*
 * Adds those of the rows that belong, at their calibrated costs, at most as long as they took as traced; none if
 * they are not known.
 */
typedef bool start_row_fn(const struct anatomy_row *row, const void *context);
void start_saving__add_faults(struct saving *saving, const struct start_subject *subject,
			      start_row_fn *belongs, const void *context);

/*
 * The same of faults that may go with others, or not: they only widen the interval.
 */
void start_saving__widen_by_faults(struct saving *saving, const struct start_subject *subject,
				   start_row_fn *belongs, const void *context);

/*
 * A file that is linked again has another layout, on disk and in memory: a fault maps other pages around it,
 * and the last fault of a table or of memory that grows may come or go.
 */
void start_saving__widen_by_layout(struct saving *saving);

/* Is it a fault on a table of relocations that carry no symbol, which ld.so (or who does its work) reads? */
bool start_row__reads_relocations(const struct anatomy_row *row);

/* Adds the calls of ld.so about an object, if they are known. */
void start_saving__add_calls(struct saving *saving, const struct start_subject *subject,
			     const struct start_object *object);

/* Adds all that it takes to have an object: the calls of ld.so about it, and the faults on it. */
void start_saving__add_object(struct saving *saving, const struct start_subject *subject,
			      const struct start_object *object);

/*
 * Adds a share of what ld.so computes in a phase, as traced, without its calls and faults: at most that,
 * as it contains what recording these takes. The value is smaller as the time of ld.so is smaller
 * without tracing; nothing, if that was not measured.
 */
void start_saving__add_computing(struct saving *saving, const struct start *start,
				 enum start_phase phase, double share);

/* The phase in which words are relocated: without ld.so, a program does it before main(). */
enum start_phase start_saving__relocates(const struct start *start);

/*
 * Widens an interval by the work on so many relative relocations, of all that there are: from nothing
 * to what they would take if all were alike (others take a look-up, and so longer).
 */
void start_saving__widen_by_relative(struct saving *saving, const struct start *start, uint64_t relative);

/*
 * Adds the share of some objects in what it takes to have any: what ld.so computes to map, relocate and
 * initialise all, at most their share by relocations where that is greater; and the faults that may go with
 * them, on memory of ld.so, on the symbols of the others, or of constructors.
 */
typedef bool start_object_fn(const struct start *start, const struct start_object *object, const void *context);
void start_saving__add_linking(struct saving *saving, const struct start_subject *subject, start_object_fn *goes,
			       const void *context);

/* Stores both; no faults, if nobody knows which were whose. */
void start_saving__predict(const struct saving *saving, const struct start_subject *subject, struct advice *advice);

#endif
