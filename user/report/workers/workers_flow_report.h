/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a watch over a pool has found, for its readers. Internal to the report of pools.
 */
#ifndef FORKTAX_REPORT_WORKERS_WORKERS_FLOW_REPORT_H
#define FORKTAX_REPORT_WORKERS_WORKERS_FLOW_REPORT_H

#include "format/table.h"
#include "model/workers/workers.h"

struct report_options;

/* The sections that are shown. */
void workers_flow__print(const struct workers_flow *flow, const struct report_options *options,
			 const struct table_output *output);
/* Who copied most. */
void workers_flow__print_brief(const struct workers_flow *flow, const struct report_options *options,
			       const struct table_output *output);
/* Tables alone, with every page. */
void workers_flow__print_data(const struct workers_flow *flow, const struct report_options *options,
			      const struct table_output *output);
/* "gc_collect_main, python3.11"; for the kernel the call. To be freed. */
char *workers_flow__code(const struct flow_writer *writer);

/*
 * Copies by call stack, a line for each frame: those of the writers with most copies; or all. Empty if none were taken.
 */
struct table *workers_flow__stack_table(const struct workers_flow *flow, const struct report_options *options);
/* Every frame of every stack. */
struct table *workers_flow__stack_frames(const struct workers_flow *flow);

/* What it comes to, in paragraphs. */
void workers_flow__print_words(const struct workers_flow *flow, const struct table_output *output);

#endif
