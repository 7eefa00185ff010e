/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A finished run as a report: the sections of run_sections.def, one file for each.
 */
#ifndef FORKTAX_REPORT_RUN_RUN_REPORT_H
#define FORKTAX_REPORT_RUN_RUN_REPORT_H

#include "report/report_sections.h"
#include "report/run/group_picks.h"

/*
 * All of it in order. A run that `explain` has made is explained (report/anatomy_report.h) to
 * people; programs get all there is.
 */
void report__run(const struct run *run, const struct report_options *options,
		 const struct table_output *output);

/* Of those that were picked to be shown. */
struct table *report__groups(const struct run *run, const struct group_picks *picks);
struct table *report__group_calls(const struct run *run, const struct group *group,
				  const struct report_options *options);

/* Explains every counter of the dictionary; needs no run. */
void report__counters(const struct table_output *output);

#endif
