/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A finished run as a report: the sections of run_sections.def, one file for each.
 */
#ifndef FORKTAX_REPORT_RUN_RUN_REPORT_H
#define FORKTAX_REPORT_RUN_RUN_REPORT_H

#include "report/report_sections.h"

/*
 * Prints all sections in order. To people, a run made by `explain` is explained (anatomy_tables.h);
 * programs get all there is.
 */
void run_report__print(const struct run *run, const struct report_options *options, const struct table_output *output);
/* The last part of a brief report: a command of forktax that shows more of this run, if there is one. */
void report__print_next(const struct run *run, const struct report_options *options, const struct table_output *output);

/* The two parts of report__print_summary(): whether numbers are missing, and what was run and how it ended;
   if `below`, after an empty line. */
void report__print_exactness(const struct run *run, const struct table_output *output);
void report__print_outcome(const struct run *run, const struct report_options *options, bool below,
			   const struct table_output *output);
/* The line that stands before everything else: "NOT EXACT: ..." */
void report__not_exact(const char *why, const struct table_output *output);

/*
 * All processes in the order of a tree, depth first: each below the one that created it, siblings
 * by birth. To be freed.
 */
struct process_place {
	size_t process; /* index into run->processes */
	size_t parent; /* index of an earlier place; NO_PLACE: a root */
};
#define NO_PLACE SIZE_MAX
struct process_place *process_tree__of(const struct run *run, size_t *count);

/* The system calls that the options select, in the order they ask for. */
struct call_list {
	const struct syscall_row **rows; /* the arrays are owned */
	size_t count;
	struct syscall_row *reduced; /* by status; what they point to belongs to the table */
	bool timed; /* durations are known of what is selected */
};
struct call_list call_list__of(const struct syscall_table *calls, bool timed, const struct report_options *options);
void call_list__free(struct call_list *list);

#endif
