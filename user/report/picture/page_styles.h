/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How pictures show what became of a page, and what they say of it.
 */
#ifndef FORKTAX_REPORT_PICTURE_PAGE_STYLES_H
#define FORKTAX_REPORT_PICTURE_PAGE_STYLES_H

#include "analysis/compare/page_state.h"
#include "analysis/forks/page_map.h"

extern const char *const page_styles[PAGE_STATE_COUNT]; /* classes of page.css */

/* The letter in its cell; 0: it has none. */
char page_letter(enum page_state state);
/* "rw- .bss": what a mapping allows, and what it is for; to be freed. */
char *words__mapping(const struct layout_vma *vma);
/* Lines about the fault of a page in some of the recorded children; to be freed. */
char *words__fault(const struct run *run, const struct anatomy_row *row, uint64_t children);

#endif
