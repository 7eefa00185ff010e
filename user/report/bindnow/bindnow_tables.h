/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of a bindnow report.
 */
#ifndef FORKTAX_REPORT_BINDNOW_BINDNOW_TABLES_H
#define FORKTAX_REPORT_BINDNOW_BINDNOW_TABLES_H

#include "analysis/bindnow/bindnow.h"
#include "format/table.h"

void bindnow__print_files(const struct bindnow *bindnow, const struct table_output *output);
/* What children of the first lazy run bind again; nothing if that is not known. */
void bindnow__print_symbols(const struct bindnow *bindnow, const struct table_output *output);
/* For programs: a row per figure. */
struct table *bindnow__figures(const struct bindnow *bindnow);

#endif
