/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How reports word what the model holds. All results are to be freed.
 */
#ifndef FORKTAX_REPORT_WORDS_H
#define FORKTAX_REPORT_WORDS_H

#include "analysis/stats.h"
#include "base/quantity.h"
#include "model/words/names.h"
#include "model/run/run.h"
#include "model/stacks/stacks.h"

/* "57 (55..60)": a median with its extremes, a value with its interval; "-" if it is not known. */
char *words__spread(const struct spread *spread, struct unit unit);
char *words__estimate(const struct estimate *estimate, struct unit unit);
/* The same of a ratio: "1.036 (1.021..1.052)". */
char *words__ratio(const struct estimate *ratio);
/* Why there is no interval, of so many timed runs: too few, or too few of them were quiet. To be freed. */
char *words__too_few_runs(size_t runs);
/* "exit 0", "SIGKILL" or "running" */
char *words__exit(int32_t status, int32_t signal, bool finished);
/* What a process ran, image after image: "sh -> make". */
char *words__images(const struct run *run, const struct process *process, bool full);
/* "17", or "17 (15..30)" where the children differ; "-" without any. */
char *words__distribution(const struct distribution *values, uint64_t children);
/* The command as typed, each argument quoted where a shell would need it, so that it can be pasted. */
char *words__command(char *const *command); /* ends with NULL */
/*
 * The same as one word for `forktax compare`, with a setting of the environment before it, or an option ("-...") behind
 * its first word; NULL: neither.
 */
char *words__operand(const char *setting, char *const *command);

/* What stands below the outermost frame of a call stack that is known; NULL: nothing, as it is the last. */
const char *words__stack_end(enum stack_stop stop);

#endif
