/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How often `forktax explain` runs commands to time them, and what that gives.
 */
#ifndef FORKTAX_CMD_EXPLAIN_TIMED_RUNS_H
#define FORKTAX_CMD_EXPLAIN_TIMED_RUNS_H

#include "analysis/compare/comparison.h"
#include "analysis/series.h"
#include "cmd/explain/explain_job.h"

/*
 * Of rounds that take `round_ns`, so many that they fit into `patience_ns`, but enough for an interval and at most
 * `most`; with -n so many as it says, and none with --no-time.
 */
size_t timed_runs__number(const struct explain_job *job, double round_ns, double patience_ns, size_t most);

/* Wall time of all timed runs, and how busy others were. The values are the variant's. */
struct series variant__wall(const struct variant *variant);

#endif
