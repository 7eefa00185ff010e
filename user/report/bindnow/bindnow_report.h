/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The answer of a comparison that is one of bindnow. Its tables are those of any comparison.
 */
#ifndef FORKTAX_REPORT_BINDNOW_BINDNOW_REPORT_H
#define FORKTAX_REPORT_BINDNOW_BINDNOW_REPORT_H

#include "analysis/compare/comparison.h"
#include "format/table.h"

/* Whether binding at start pays, and from how many children on. */
void bindnow_report__print_answer(const struct comparison *comparison, const struct table_output *output);

#endif
