/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would make the forks of a traced command cheaper. Each rule (model/advice/rules_forks.def) looks at one group of
 * children; the run must have its names, bindings and calibrated costs. The rule says nothing, or
 * fills one struct advice: what was counted, what to do, and what that would save. docs/use/advice.md
 * explains every rule.
 */
#ifndef FORKTAX_ADVICE_ADVICE_H
#define FORKTAX_ADVICE_ADVICE_H

#include "analysis/forks/fork_breakdowns.h"

/*
 * Fills run->anatomy->advice, by what it would save in all, largest first. `breakdowns` are those
 * of this run. Looks only at groups whose forks have some weight (docs/use/advice.md). Call it once,
 * for live runs only.
 */
void advice__find(struct run *run, const struct fork_breakdowns *breakdowns);

/*
 * Fills run->anatomy->verdict: how many forks there were, their overhead as a share of the wall time, and
 * whether fork is this command's problem.
 */
void advice__judge(struct run *run, const struct fork_breakdowns *breakdowns);

#endif
