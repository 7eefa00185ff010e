/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a start takes before main(), and in all, by one clock: that of the runs that were not traced, if it shows
 * all of it, else that of the traced run.
 */
#ifndef FORKTAX_ANALYSIS_START_START_ANSWER_H
#define FORKTAX_ANALYSIS_START_START_ANSWER_H

#include <stdbool.h>

#include "model/run/run.h"

enum answer_part { PART_OF_KERNEL, PART_OF_LDSO, PART_OF_LIBC, PART_OF_INIT, ANSWER_PART_COUNT };

/* Times before main(), and of the whole start, ns; NAN: not known. */
struct start_answer {
	double parts[ANSWER_PART_COUNT];
	double before, all;
	bool traced;
};

/* Needs the end of the start (marks.end). */
struct start_answer start_answer__of(const struct start *start);

/* Does it end because the image executes another program? */
bool start__executes_another(const struct start *start);

/* Does it, and most of the run comes after that: env(1), a shim? Then the start is not what the run takes. */
bool start_answer__is_prelude(const struct run *run);

#endif
