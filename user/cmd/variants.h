/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands that a subcommand measures, from its options to results that can be reported.
 */
#ifndef FORKTAX_CMD_VARIANTS_H
#define FORKTAX_CMD_VARIANTS_H

#include "analysis/compare/comparison.h"
#include "measure/command/command_rounds.h"

/*
 * Measures them, shows progress if asked to, and names what runs have found. Returns 0 or, after a
 * complaint, the exit status. After Ctrl-C it says how much is complete, and stores the signal: of
 * that forktax is to die when it has shown what there is. Nothing, if the status is not 0. Else
 * *signal is 0.
 */
int variants__measure(struct variant *variants, size_t count, const struct rounds *rounds,
		      int *signal);

/* Moves the results to a column. */
void variant__move(struct variant *variant, struct compare_column *column);

#endif
