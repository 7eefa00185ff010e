/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Do the commands of a comparison do the same? They are run for that alone, as what they write goes to files then.
 */
#ifndef FORKTAX_CMD_COMPARE_OUTCOMES_H
#define FORKTAX_CMD_COMPARE_OUTCOMES_H

#include "cmd/compare/compare_job.h"

/*
 * Runs each of them once, without input, and if they differ a few times more: that shows which of them differ from
 * themselves. Stores how each ended and what it wrote in its column, unless a signal came, which is stored. Returns 0
 * or, after a complaint, the exit status.
 */
int compare_job__run_outcomes(struct compare_job *job, const struct variant *variants, size_t count, int *signal);

#endif
