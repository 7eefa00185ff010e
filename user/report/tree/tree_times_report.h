/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the time of a tree of processes is spent on.
 */
#ifndef FORKTAX_REPORT_TREE_TREE_TIMES_REPORT_H
#define FORKTAX_REPORT_TREE_TREE_TIMES_REPORT_H

#include "format/table.h"
#include "model/run/run.h"

struct report_options;

/* Does it start so many programs that their starts are the first question? */
bool report__is_tree(const struct run *run);

/*
 * What most of the time goes to, in a sentence; nothing if that is forks, about which there is an answer of its own.
 * Returns whether anything is said.
 */
bool report__print_bill_answer(const struct run *run, const struct report_options *options,
			       const struct table_output *output);
/* ", above all perl's own code (97.2 %, 1.31 s)": the largest part but exec and ld.so; "" if not known. To be freed. */
char *report__largest_from_main_on(const struct run *run);

#endif
