/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `forktax check` found out: metric by metric, and of all commands.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_CHECK_RESULT_H
#define FORKTAX_ANALYSIS_CHECK_CHECK_RESULT_H

#include "model/baseline/baseline.h"

enum check_change { CHANGE_NONE, CHANGE_BETTER, CHANGE_WORSE, CHANGE_COUNT };
extern const char *const check_change_words[CHANGE_COUNT]; /* "ok", "better", "worse" */

/* One metric. Texts are borrowed from the contexts. */
struct check_finding {
	const char *of, *name;
	enum baseline_kind kind;
	uint64_t then_least, then_most, now_least, now_most;
	enum check_change change;
	bool part; /* of the finding of a new kind of process, or of one that is gone */
	char **reasons; /* owned; why it is worse, a sentence each */
	size_t reason_count;
};

/* From good to bad; the worst decides about all commands. */
enum check_outcome {
	CHECK_HELD,
	CHECK_NOT_COMPARABLE, /* the baseline has no such place to run: not comparable */
	CHECK_INEXACT, /* the run was not counted exactly */
	CHECK_REGRESSED,
	CHECK_OUTCOME_COUNT
};
extern const char *const check_outcome_words[CHECK_OUTCOME_COUNT]; /* "ok", "not comparable", ... */

struct check_result {
	const struct baseline_check *check; /* borrowed */
	const struct baseline_context *then; /* borrowed; of another place if not comparable; may be NULL */
	struct baseline_context now; /* owned */
	int32_t status; /* its exit status now */
	enum check_outcome outcome;
	char *reason; /* a sentence; NULL: the findings say it all; owned */
	struct check_finding *findings; /* of both contexts: by kind, causes first; then as metrics are */
	size_t finding_count;
};

/* Of all commands. */
struct check_results {
	struct check_result *results;
	size_t count;
};

/* Less is better. What must neither come nor go (settings) is worse either way. NULL: it never happens. */
enum check_change check_change__of(enum baseline_kind kind, const struct baseline_metric *then,
				   const struct baseline_metric *now);
bool check_finding__fails(const struct check_finding *finding); /* worse, and it gates */
bool check_finding__improves(const struct check_finding *finding); /* better, and it gates */
size_t check_result__failures(const struct check_result *result);
size_t check_result__improvements(const struct check_result *result);
/* How many metrics gate. */
size_t check_result__gates(const struct check_result *result);
/* The same without parts: what has a cause of its own. */
size_t check_result__failed_causes(const struct check_result *result);
size_t check_result__cases(const struct check_result *result);
enum check_outcome check_results__outcome(const struct check_results *results);

void check_result__release(struct check_result *result);
/* Adds a reason. */
__attribute__((format(printf, 2, 3))) void check_finding__say(struct check_finding *finding, const char *format, ...);

#endif
