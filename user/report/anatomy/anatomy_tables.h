/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The anatomy of a run (run->anatomy, which all of these need) as tables, one function and one file
 * for each; as in run_report.h, a table is freed by the caller, and NULL means that there is
 * nothing to show. `group` is an index into run->groups, or NO_GROUP for the roots.
 */
#ifndef FORKTAX_REPORT_ANATOMY_ANATOMY_TABLES_H
#define FORKTAX_REPORT_ANATOMY_ANATOMY_TABLES_H

#include "analysis/forks/row_selection.h"
#include "format/table.h"
#include "model/run.h"
#include "report/options.h"

/* How much of each group was recorded. */
struct table *report__samples(const struct run *run, const struct report_options *options);
/* The same about one group as a sentence, after an empty line. */
void report__print_sample(const struct run *run, uint32_t group,
			  const struct table_output *output);

/*
 * Phase child or parent: one line for each page that faulted, per recorded child; at most `most`,
 * those with the most time. Sorted by options->sort, as report__row_order() says. The last line of
 * phase child is the kernel's own count, and those above add up to it.
 */
struct table *report__anatomy(const struct run *run, const struct report_options *options,
			      uint32_t group, enum phase phase, size_t most);
/* The order of rows that a sort key stands for: time, calls (faults), name (place), else
 * occurrence. */
enum row_order report__row_order(enum sort_key sort);
/* All rows with all that is known of them, as plain numbers: for programs. */
struct table *report__anatomy_rows(const struct run *run, const struct report_options *options);
/*
 * Phase exec, too long for that, or phase child, where that leaves most of it out: by actor and
 * section, most time first; and it adds up likewise.
 */
struct table *report__sections(const struct run *run, uint32_t group, enum phase phase,
			       size_t most);
/*
 * Whether the rows of all recorded images add up to the kernel's count of their faults: as a table,
 * and as a paragraph after an empty line.
 */
struct table *report__anatomy_balance(const struct run *run, const struct report_options *options);
void report__print_anatomy_balance(const struct run *run, const struct report_options *options,
				   const struct table_output *output);

/* The parts of one fork of a group on the clock; NULL: no fork is known in all its parts. */
struct table *report__fork_parts(const struct run *run, uint32_t group);
/* How long forks took: least, median, 99th percentile, most. */
struct table *report__fork_times(const struct run *run, uint32_t group);
/* What the parent had when it forked, as a paragraph after an empty line; and all, for programs. */
void report__print_fork_parent(const struct run *run, uint32_t group,
			       const struct table_output *output);
struct table *report__fork_parents(const struct run *run, const struct report_options *options);

/* Relocations of each object, by type. */
struct table *report__relocations(const struct run *run, const struct report_options *options);
/* What the dynamic linker did with them, and which pages that dirtied. */
struct table *report__bindings(const struct run *run, const struct report_options *options);
/* The symbols that children bind again and again. */
struct table *report__bound_symbols(const struct run *run, const struct report_options *options);
/* What the method that finds all of them cost, as a line; nothing if it was not used. */
void report__print_binding_cost(const struct run *run, const struct report_options *options,
				const struct table_output *output);

/* What operations cost on the machine of the run: for programs, and as a paragraph. */
struct table *report__costs(const struct run *run, const struct report_options *options);
void report__print_costs(const struct run *run, const struct report_options *options,
			 const struct table_output *output);

/* One fork beside one of another executable, line by line; and what that saves in all, as text. */
struct table *report__against(const struct run *run, const struct report_options *options);
void report__print_against(const struct run *run, const struct report_options *options,
			   const struct table_output *output);

struct table *report__advice(const struct run *run, const struct report_options *options); /* for programs */
/* The same as text. */
void report__print_advice(const struct run *run, const struct report_options *options,
			  const struct table_output *output);

#endif
