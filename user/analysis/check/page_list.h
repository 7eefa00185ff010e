/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers of pages as text that is read in reviews: "0x3-0x5 0x9".
 */
#ifndef FORKTAX_ANALYSIS_CHECK_PAGE_LIST_H
#define FORKTAX_ANALYSIS_CHECK_PAGE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page_list {
	uint64_t *pages; /* ascending, none twice */
	size_t count;
};

/* Not below the last one. */
void page_list__add(struct page_list *list, uint64_t page);
void page_list__release(struct page_list *list);
/* To be freed; NULL: it is empty, or would be no line to read. */
char *page_list__text(const struct page_list *list);
/* Is the page in such a text? NULL, and what is no such text, have none. */
bool page_text__has(const char *text, uint64_t page);

#endif
