/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A finished run as tables, one function and one file for each. A table is freed by the caller;
 * NULL means that there is nothing to show. Of the options, each heeds those that concern it.
 */
#ifndef FORKTAX_REPORT_RUN_RUN_REPORT_H
#define FORKTAX_REPORT_RUN_RUN_REPORT_H

#include "format/table.h"
#include "model/run.h"
#include "report/options.h"
#include "report/run/group_picks.h"

/*
 * All of it in order. A run that `explain` has made is explained (report/anatomy_report.h) to
 * people; programs get all there is.
 */
void report__run(const struct run *run, const struct report_options *options,
		 const struct table_output *output);

/* What was run and how it ended; before it, whether numbers are missing. */
void report__print_summary(const struct run *run, const struct report_options *options,
			   const struct table_output *output);
struct table *report__summary(const struct run *run, const struct report_options *options);

struct table *report__syscalls(const struct run *run, const struct report_options *options);
/* How many calls there were by forktax's rule, by that of strace -c, and by that of 2006. */
struct table *report__ways_to_count(const struct run *run, const struct report_options *options);
struct table *report__faults(const struct run *run, const struct report_options *options);
/* Of those that were picked to be shown. */
struct table *report__groups(const struct run *run, const struct group_picks *picks);
struct table *report__group_calls(const struct run *run, const struct group *group,
				  const struct report_options *options);
/* If the options ask for them. */
struct table *report__processes(const struct run *run, const struct report_options *options);
struct table *report__tree(const struct run *run, const struct report_options *options);
/* By which paths files were executed. */
struct table *report__executables(const struct run *run, const struct report_options *options);
/* What was lost, what could not be told for other reasons, and whether the parts are the whole. */
void report__integrity(const struct run *run, const struct report_options *options,
		       const struct table_output *output);

/* Explains every counter of the dictionary; needs no run. */
void report__counters(const struct table_output *output);

#endif
