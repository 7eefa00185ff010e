/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What one rule advises: about forks (anatomy.advice), a start (start.advice), the whole run (run.advice), or a pool of
 * workers (workers.advice). docs/use/advice.md and docs/use/workers.md list the rules.
 */
#ifndef FORKTAX_MODEL_ADVICE_ADVISED_H
#define FORKTAX_MODEL_ADVICE_ADVISED_H

#include <stdint.h>

#include "model/estimate.h"

struct advice {
	char *rule; /* "A1", "S1", "W1" */
	char *title; /* one line */
	uint32_t group; /* of the children concerned; NO_GROUP: the command as a whole, or its start */
	char *evidence; /* what was counted, one or more sentences */
	char *action; /* what to do */
	char *not_for; /* where that does not help; NULL: nothing is known of that */
	char *by_hand; /* of a pool: the line for a shell that tries it; NULL: forktax tries it, or nobody can */
	char *way; /* as that of its rule (advice/rule.h), where it depends on what was found; NULL; not saved */
	char *tried_with; /* the setting, option or limit with which it was tried; NULL: it was not */
	char *tried; /* how the measured figures were obtained, or why not; NULL: not tried */
	/* Saved; negative: it costs more. Per child and fork, or per start; of the whole run, all of it: */
	struct estimate predicted_faults, predicted_ns;
	struct estimate measured_faults, measured_ns;
	struct estimate predicted_bytes; /* of a pool, all members together: of Pss_Anon and swap */
	/* The time of forks as a share of the command's wall time; 0..1. */
	struct estimate share;
};

#endif
