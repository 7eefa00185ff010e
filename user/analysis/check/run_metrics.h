/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax check` reads of one traced run: every list is sorted, and holds nothing twice.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_RUN_METRICS_H
#define FORKTAX_ANALYSIS_CHECK_RUN_METRICS_H

#include "analysis/check/check_names.h"
#include "model/baseline.h"

/* least and most are the same. To be freed with what is in it. */
struct baseline_metric *run_metrics__of(const struct check_names *names, size_t *count);
/*
 * Without an anatomy: none. What the kernel's own code did in TLS is left out: it writes there when it
 * moves a thread to another CPU (rseq(2)).
 */
struct baseline_place *run_places__of(const struct check_names *names, size_t *count);
/* Files by name, where the run has them. */
struct baseline_file *run_files__of(const struct check_names *names, size_t *count);

void baseline_metrics__free(struct baseline_metric *metrics, size_t count);
void baseline_places__free(struct baseline_place *places, size_t count);
void baseline_files__free(struct baseline_file *files, size_t count);

#endif
