/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps the calls and faults of the command's first image for run->start: the first and the last
 * calls, so that memory is bounded; those between are counted.
 */
#ifndef FORKTAX_SOURCE_CALLS_START_LOG_H
#define FORKTAX_SOURCE_CALLS_START_LOG_H

#include "model/start/start.h"

struct start_log;

/* `start` must outlive the log. */
struct start_log *start_log__new(struct start *start);
void start_log__free(struct start_log *log); /* NULL is fine */

/*
 * Calls of the command alone, of all its threads, in the order in which they ended. Returns whether it is one of the
 * first image.
 */
bool start_log__call(struct start_log *log, const struct call_record *call);

/* Moves what was kept into `start`, by the time of its begin. */
void start_log__finish(struct start_log *log);

/*
 * The first image's faults: single ones, any number of them, then its count. Faults beyond
 * START_FAULTS are in no phase.
 */
enum { START_FAULTS = 1 << 18 };
void start_faults__add(struct start *start, const struct start_fault *fault);

#endif
