/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What became of a page, in words, also where no fault tells.
 */
#ifndef FORKTAX_ANALYSIS_COMPARE_PAGE_STATE_H
#define FORKTAX_ANALYSIS_COMPARE_PAGE_STATE_H

#include "analysis/forks/page_map.h"

extern const char *const page_state_words[PAGE_STATE_COUNT]; /* "copied by ld.so" */
/*
 * What is the page of this fault, a child's in the run `of`, in children of another run where it has no
 * fault: "shared"; NULL: not known. Static.
 */
const char *page_state__without_fault(const struct run *run, const struct anatomy_row *fault, const struct run *of);

#endif
