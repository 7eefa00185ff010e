/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Forks by line of a script, whatever the children executed.
 */
#ifndef FORKTAX_ANALYSIS_LINES_LINE_SUMS_H
#define FORKTAX_ANALYSIS_LINES_LINE_SUMS_H

#include "base/hash.h"
#include "model/run/run.h"

enum { PROGRAMS_NAMED = 3 };

struct line_sum {
	const struct script_line *line; /* one of them */
	uint64_t children, no_exec;
	double life_ms;
	char *programs; /* the first PROGRAMS_NAMED that its children executed, most often first; NULL: none */
	size_t program_count;
};

/* By children, descending. Where the line is not known, a sum for each program that forked. */
struct line_sums {
	struct line_sum *list;
	size_t count;
	uint64_t children, no_exec; /* of all lines; the children include those that run->lines left out */
	uint64_t unknown; /* children whose line is not known, nor one that they are below */
};

/* Of a run that has lines. */
struct line_sums line_sums__of(const struct run *run);
void line_sums__free(struct line_sums *sums);
/* Is the line of these known, or one that they are below? */
bool line_sum__is_known(const struct line_sum *sum);
/* The line that forks most of those that are known; NULL: none is. */
const struct line_sum *line_sums__most(const struct line_sums *sums);

#endif
