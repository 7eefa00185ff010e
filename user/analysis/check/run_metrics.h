/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax check` reads of one traced run: every list is sorted, and holds nothing twice.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_RUN_METRICS_H
#define FORKTAX_ANALYSIS_CHECK_RUN_METRICS_H

#include "analysis/check/check_names.h"
#include "model/baseline/baseline.h"

/* Each fills one list of a context that has none: the least is the most. */
void run_metrics__take(const struct check_names *names, struct baseline_context *into);
/*
 * Without an anatomy: none. What the kernel's own code did in TLS is left out: it writes there when it
 * moves a thread to another CPU (rseq(2)).
 */
void run_places__take(const struct check_names *names, struct baseline_context *into);
/* Files by name, where the run has them. */
void run_files__take(const struct check_names *names, struct baseline_context *into);

#endif
