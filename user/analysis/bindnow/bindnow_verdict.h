/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Does LD_BIND_NOW pay off for this command? One answer from all measurements, as far as the 95 %
 * intervals support it. The untraced time of the whole command decides, by one clock. What children save and what
 * the start costs is known from traced runs only, where each fault takes longer: it can contradict
 * the answer, but not decide it. Counts of faults say what changes, not what it is worth.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_VERDICT_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_VERDICT_H

#include "analysis/bindnow/break_even.h"

enum bindnow_outcome {
	OUTCOME_NOTHING_TO_BIND, /* LD_BIND_NOW changes nothing here */
	OUTCOME_PAYS,
	OUTCOME_COSTS,
	OUTCOME_NOT_SHOWN,    /* the whole command was measured and shows no difference */
	OUTCOME_UNCLEAR,      /* measurements contradict each other */
	OUTCOME_NOT_MEASURED, /* the whole command was not measured, or too few times */
};

struct bindnow_evidence {
	bool may_matter; /* some file binds at first call, or it is unknown how one does */
	struct estimate ratio; /* of the time with LD_BIND_NOW to that without, untraced; by the clock that decides */
	struct estimate faults; /* with LD_BIND_NOW minus without, all processes */
	struct break_even in_time;
	double children; /* of the command; NAN: not counted */
};

struct bindnow_verdict {
	enum bindnow_outcome outcome;
	enum shown time, faults;
	/* Do this command's children save more than its start costs? SHOWN_LESS: more is saved. */
	enum shown children;
};

struct bindnow_verdict bindnow_verdict__of(const struct bindnow_evidence *evidence);

#endif
