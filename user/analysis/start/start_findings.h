/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What stands out among the calls of a start: evidence, no advice.
 */
#ifndef FORKTAX_ANALYSIS_START_START_FINDINGS_H
#define FORKTAX_ANALYSIS_START_START_FINDINGS_H

#include "model/start/start.h"

/* A question that got the same answer each time: which files are there, who am I. */
struct start_repeat {
	const struct start_call *call; /* the first one */
	uint64_t times; /* 2 or more */
	uint64_t ns; /* of all */
};

/* Calls of one kind, and how long they took. */
struct start_odd {
	uint64_t calls, ns;
};

struct start_findings {
	struct start_repeat *repeats; /* most often first, then as they occurred */
	size_t repeat_count;
	struct start_odd one_byte; /* read(2) of a single byte, right after another one */
	struct start_odd seeks; /* lseek(2) by 0 from where it is: it only asks */
};

struct start_findings start_findings__of(const struct start *start);
void start_findings__free(struct start_findings *findings);
/* Those with most times first: for qsort() of struct start_repeat. */
int start_repeats__by_times(const void *left, const void *right);

#endif
