/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Measures the commands of a subcommand, from its options to results that can be reported.
 */
#ifndef FORKTAX_CMD_VARIANTS_H
#define FORKTAX_CMD_VARIANTS_H

#include "analysis/compare/comparison.h"
#include "measure/command/command_rounds.h"

/*
 * Measures them, shows progress if rounds->progress is set, and fills in the names in the traced runs.
 * Returns 0 or, after a complaint, the exit status. After Ctrl-C it says how much is complete and
 * stores the signal: forktax must die of it after showing the results (if the status is 0). Without
 * Ctrl-C *signal is 0.
 */
int variants__measure(struct variant *variants, size_t count, const struct rounds *rounds, int *signal);

/* A run in which no script of a known language has forked has no lines, unless it was asked for them. */
void drop_unknown_lines(struct run *run);

/*
 * Prints a warning if other programs used the CPUs in these timed rounds, for a command whose
 * report does not.
 */
void variants__warn(const char *name, const struct variant *variants);

/* Moves the results of the variant to a column. */
void variant__move(struct variant *variant, struct compare_column *column);

#endif
