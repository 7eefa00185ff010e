/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Does LD_BIND_NOW pay off for this command? One answer, as far as the 95 % intervals support it. The
 * untraced time of the whole command decides, by one clock, and only as far as something explains it: faults
 * and functions that LD_BIND_NOW changes. Counts of faults say what changes, not what it is worth.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_VERDICT_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_VERDICT_H

#include "analysis/stats.h"

enum bindnow_outcome {
	OUTCOME_NOTHING_TO_BIND, /* LD_BIND_NOW changes nothing here */
	OUTCOME_PAYS,
	OUTCOME_COSTS,
	OUTCOME_NOT_SHOWN,    /* the whole command was measured and shows no difference */
	OUTCOME_UNEXPLAINED,  /* it shows more than all that LD_BIND_NOW changes can make */
	OUTCOME_NOT_MEASURED, /* the whole command was not measured, or too few times */
};

struct bindnow_evidence {
	bool may_matter; /* some file binds at first call, or it is unknown how one does */
	struct estimate ratio; /* of the time with LD_BIND_NOW to that without, untraced; by the clock that decides */
	struct estimate time; /* the difference of the same times, ns */
	double explained; /* ns that it can be at most, by what LD_BIND_NOW changes; NAN: unknown */
	struct estimate faults; /* with LD_BIND_NOW minus without, all processes */
};

struct bindnow_verdict {
	enum bindnow_outcome outcome;
	enum shown time, faults;
};

struct bindnow_verdict bindnow_verdict__of(const struct bindnow_evidence *evidence);

#endif
