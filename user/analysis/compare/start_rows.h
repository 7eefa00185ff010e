/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rows for the start of commands: what each of its phases took and did.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_START_ROWS_H
#define FORKTAX_ANALYSIS_COMPARE_START_ROWS_H

#include "analysis/compare/compare_rows.h"

/* Adds them, unless no run has recorded its start. */
void comparison__add_starts(struct comparison *comparison);

#endif
