/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax check` found, for people and for the programs of continuous integration.
 */
#ifndef FORKTAX_REPORT_CHECK_CHECK_REPORT_H
#define FORKTAX_REPORT_CHECK_CHECK_REPORT_H

#include "analysis/check/check_result.h"
#include "format/table.h"
#include "report/options.h"

struct check_view {
	bool quiet; /* nothing of what holds */
	bool all; /* all metrics, not only those that moved */
};

void check_report__print(const struct check_results *results, const struct check_view *view,
			 const struct table_output *output);
/* What a baseline holds, as tables. */
void baseline_report__print(const struct baseline *baseline, const struct report_options *options,
			    const struct table_output *output);

/*
 * Forms of other tools; a failure is noted in the stream. Metrics that do not gate are left out.
 * check_junit: JUnit XML, a test suite for each command and a test case for each metric.
 * check_github: workflow commands, that annotate a run of GitHub Actions.
 */
void check_junit__write(const struct check_results *results, FILE *stream);
void check_github__write(const struct check_results *results, const char *file, FILE *stream);

/* To be freed: "openat", "loaded: ./libfoo.so"; "4 calls, 3 before"; all reasons, with "; " between. */
char *check_words__metric(const struct check_finding *finding);
char *check_words__change(const struct check_finding *finding);
char *check_words__reasons(const struct check_finding *finding);
/* "command: openat"; of a new kind of process what it does, in sum; to be freed. */
char *check_words__title(const struct check_result *result, const struct check_finding *finding);
/* "command: openat: 4, 3 before"; to be freed. */
char *check_words__line(const struct check_result *result, const struct check_finding *finding);
/* "FAIL: ls / (3 of 57 metrics regressed)", "ok: ls / (57 metrics)"; to be freed. */
char *check_words__outcome(const struct check_result *result);

#endif
