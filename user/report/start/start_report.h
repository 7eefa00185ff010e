/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The anatomy of a start: the sections of start_sections.def, which need run->start.
 */
#ifndef FORKTAX_REPORT_START_START_REPORT_H
#define FORKTAX_REPORT_START_START_REPORT_H

#include "analysis/start/start_groups.h"
#include "report/report_sections.h"

/* All of them. Prints nothing for a run without a start. */
section_print_fn report__start;

/*
 * How long the start takes before main(), and what takes most of that; if `below`, after an empty line. Returns whether
 * there is an answer.
 */
bool report__print_start_answer(const struct run *run, const struct report_options *options, bool below,
				const struct table_output *output);
/* What ends it: the command "ends", or "executes another program". */
const char *start_words__end(const struct start *start);
/* As strace shows it: "3", "0x7f...", "-1 ENOENT", "?"; to be freed. */
char *start_words__result(const struct start_call *call);

#endif
