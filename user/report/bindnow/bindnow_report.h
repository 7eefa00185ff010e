/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bindnow measurement for its readers: pure functions of it, so that what was saved prints as it
 * did live.
 */
#ifndef FORKTAX_REPORT_BINDNOW_BINDNOW_REPORT_H
#define FORKTAX_REPORT_BINDNOW_BINDNOW_REPORT_H

#include "analysis/bindnow/bindnow.h"
#include "format/table.h"

/* Tables and a verdict; as CSV one line per figure. `quiet`: without what was run, and how. */
void bindnow__print(const struct bindnow *bindnow, bool quiet, const struct table_output *output);

/* Its parts: the files, and what children of the first lazy run bind again, if that is known. */
void bindnow__print_files(const struct bindnow *bindnow, const struct table_output *output);
void bindnow__print_symbols(const struct bindnow *bindnow, const struct table_output *output);
/* For programs: a row per figure. */
struct table *bindnow__figures(const struct bindnow *bindnow);

#endif
