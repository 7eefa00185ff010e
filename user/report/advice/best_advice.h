/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The advice that saves most of the run, whatever it is about: its forks, its start, or the run as a whole.
 */
#ifndef FORKTAX_REPORT_ADVICE_BEST_ADVICE_H
#define FORKTAX_REPORT_ADVICE_BEST_ADVICE_H

#include <stdbool.h>

#include "report/report_sections.h"

/* The setting or option that tries the best advice, if that needs no more; NULL: it does, or there is none. */
const char *best_advice__way(const struct run *run);

/*
 * If the best advice is about the run as a whole: what takes the time that it saves, in a sentence. Returns whether it
 * is.
 */
bool report__print_best_evidence(const struct run *run, const struct table_output *output);
/* What to do, and what that saves. None: prints nothing. */
section_print_fn report__print_best_advice;
/* What else takes much of the run, and what to do about it. */
section_print_fn report__print_further_advice;
/* All advice on the run as a whole, at length. */
section_print_fn report__print_run_advice;

#endif
