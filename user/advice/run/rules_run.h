/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rule looks at a whole run, and speaks only if it finds evidence. It fills `evidence`: what takes how much of the
 * run, one sentence, which the answer may begin with; `action`: what to do, as it follows "Best advice: ", without a
 * full stop; and `predicted_ns`: what the run's wall time would lose, at most what the rows of the bill have that it
 * rests on.
 */
#ifndef FORKTAX_ADVICE_RUN_RULES_RUN_H
#define FORKTAX_ADVICE_RUN_RULES_RUN_H

#include "advice/run/run_subject.h"
#include "model/advice/advised.h"

typedef bool run_rule_fn(const struct run_subject *subject, struct advice *advice); /* rule.h */
#define RULE(id, name, ...) run_rule_fn rule__##name;
#include "model/advice/rules_run.def"
#undef RULE

/* What rules ask one another. */

/* Does rule R10 say what a shell has instead of most of these children of that line? */
bool r10_replaced__says(const struct run_subject *subject, const struct path_line *line, uint64_t children);
/* Does rule R20 say why these files are opened? NULL: no. */
bool r20_cache__says(const struct run_subject *subject, const struct start_files *files);
/* What page faults of handlers around fork take of the run, of all forks of a program; 0 without call stacks. */
double r27_handlers__ns(const struct run_subject *subject, uint32_t exe);

#endif
