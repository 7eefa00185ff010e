/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The critical path of a command: what it waited for.
 */
#ifndef FORKTAX_REPORT_TREE_CRITICAL_PATH_REPORT_H
#define FORKTAX_REPORT_TREE_CRITICAL_PATH_REPORT_H

#include "format/table.h"
#include "model/run/run.h"

/* In one paragraph; NULL is fine. */
void report__print_path_answer(const struct run *run, const struct table_output *output);
/* "sed", or "bash, no exec" of copies; to be freed. */
char *report__path_program(const struct run *run, uint32_t exe, bool executed);
/* "configure:12", "fork_all() deploy:3"; to be freed. */
char *report__path_place(const struct path_line *line);

#endif
