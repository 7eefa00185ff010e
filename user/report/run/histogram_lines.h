/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lines of a histogram: the buckets of a call, with the empty ones between them.
 */
#ifndef FORKTAX_REPORT_RUN_HISTOGRAM_LINES_H
#define FORKTAX_REPORT_RUN_HISTOGRAM_LINES_H

#include "model/run/call_times.h"

struct histogram_lines {
	struct call_bucket *buckets; /* from the shortest to the longest; owned */
	size_t count;
	uint64_t most; /* calls of the fullest */
};

struct histogram_lines histogram_lines__of(const struct syscall_row *row);
void histogram_lines__free(struct histogram_lines *lines);
/* "65.5 us .. 131.1 us", to be freed. */
char *histogram_lines__range(const struct call_bucket *bucket);

#endif
