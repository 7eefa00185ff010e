/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The things (thing.h) of all runs of a comparison. A run that does not know a kind of them has none.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_THINGS_H
#define FORKTAX_ANALYSIS_COMPARE_THINGS_H

#include "analysis/compare/compare_column.h"
#include "analysis/compare/thing.h"

struct things things__of(const struct compare_column *columns, size_t count);
void things__free(struct things *things);
/* Are its libraries those that its file names, whatever the runs: a fact that needs no second run? */
bool things__are_facts(const struct compare_column *column);
/* Does this run of the column know such things at all? */
bool things__are_known(const struct compare_column *column, size_t run, enum compare_section section);

#endif
