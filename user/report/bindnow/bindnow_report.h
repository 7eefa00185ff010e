/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A comparison of bindnow for its readers: pure functions of it, so that what was saved prints as it
 * did live.
 */
#ifndef FORKTAX_REPORT_BINDNOW_BINDNOW_REPORT_H
#define FORKTAX_REPORT_BINDNOW_BINDNOW_REPORT_H

#include "analysis/bindnow/bindnow.h"
#include "format/table.h"
#include "report/options.h"

/* The verdict, and tables; as CSV one line per figure. It must be one of bindnow. */
void bindnow_report__print(const struct comparison *comparison, const struct report_options *options,
			   const struct table_output *output);

/* Its parts: the files, and what children of the first lazy run bind again (`most` rows), if that is known. */
void bindnow__print_files(const struct bindnow *bindnow, const struct table_output *output);
void bindnow__print_symbols(const struct bindnow *bindnow, size_t most, const struct table_output *output);
/* For programs: a row per figure. */
struct table *bindnow__figures(const struct bindnow *bindnow);

#endif
