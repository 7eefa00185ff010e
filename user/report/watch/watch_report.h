/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A saved sample of a watch: which unit forks most, and a table of all since counting began.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_REPORT_H
#define FORKTAX_REPORT_WATCH_WATCH_REPORT_H

#include "format/table.h"
#include "model/watch/watch.h"
#include "report/options.h"

void watch_sample_report__print(const struct watch_sample *sample, const struct report_options *options,
				const struct table_output *output);

#endif
