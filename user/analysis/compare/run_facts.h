/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The facts (run_fact.h) of all runs of a comparison. A run that does not know a kind of them has none.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_RUN_FACTS_H
#define FORKTAX_ANALYSIS_COMPARE_RUN_FACTS_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/run_fact.h"

struct run_facts run_facts__of(const struct compare_column *columns, size_t count);
void run_facts__free(struct run_facts *facts);
/* Are its libraries those that its file names, whatever the runs: a fact that needs no second run? */
bool run_facts__are_certain(const struct compare_column *column);
/* Does this run of the column know such facts at all? */
bool run_facts__are_known(const struct compare_column *column, size_t run, enum compare_section section);

#endif
