/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The anatomy of a run for its readers: behind the report of the run, or ranked and explained; and
 * the parts that both share, beside the sections of the .def files. All need run->anatomy. The
 * caller frees tables; NULL: nothing to show. `group` is an index into run->groups, or NO_GROUP for
 * the roots.
 */
#ifndef FORKTAX_REPORT_ANATOMY_ANATOMY_TABLES_H
#define FORKTAX_REPORT_ANATOMY_ANATOMY_TABLES_H

#include "analysis/forks/fork_breakdown.h"
#include "analysis/forks/row_selection.h"
#include "report/report_sections.h"
#include "report/shown.h"

/* A sentence that says how much of a group was recorded, after an empty line. */
void report__print_sample(const struct run *run, uint32_t group, const struct table_output *output);

/*
 * Phase child or parent: one line for each page that faulted, per recorded child; as many as there
 * is room for, those with the most time. In the order of report__row_order(). The
 * last line of phase child is the kernel's own count, and those above add up to it.
 */
struct table *report__anatomy(const struct run *run, const struct report_options *options,
			      uint32_t group, enum phase phase, struct room room);
enum row_order report__row_order(const struct report_options *options);
/*
 * The same by actor and section, most time first: for phase exec, which has too many pages, and for
 * phase child where report__anatomy() leaves most of them out. It adds up to the same total.
 */
struct table *report__parts_by_section(const struct run *run, uint32_t group, enum phase phase, struct room room);

/*
 * Who called the code that faulted: as many call stacks as there is room for, those with the most
 * time, a line for each frame, per recorded child. Adds up to the recorded faults of the phase. NULL
 * also where no stacks were taken.
 */
struct table *report__stack_table(const struct run *run, uint32_t group, enum phase phase, struct room room);

/* The parts of one fork of a group on the clock; NULL: no fork is known in all its parts. */
struct table *report__fork_parts(const struct run *run, uint32_t group);
/* How long forks took: least, median, 99th percentile, most. */
struct table *report__fork_times(const struct run *run, uint32_t group);
/* A paragraph that says what the parent had when it forked, after an empty line. */
void report__print_fork_parent(const struct run *run, uint32_t group, const struct table_output *output);

/*
 * The causes of the overhead of a fork, the most expensive first; `more_groups` follows the title.
 */
void fork_causes__print(const struct run *run, const struct report_options *options,
			const struct fork_breakdown *breakdown, const char *more_groups,
			const struct table_output *output);

/*
 * A bar for each line of the breakdown, and the overhead, after an empty line; says so if no fork is known in
 * all its parts. `breakdown` NULL: prints nothing.
 */
void time_bar__print(const struct run *run, const struct fork_breakdown *breakdown,
		     const struct report_options *options, const struct table_output *output);
/* Was the run made to be explained: does it have a verdict, or advice? */
bool report__is_explained(const struct run *run);
/*
 * The screen of `forktax explain`: for the groups whose forks took most time, what one fork
 * consists of, ranked; then what the dynamic linker did, advice, and how exact all this is.
 */
void report__explain(const struct run *run, const struct report_options *options, const struct table_output *output);

#endif
