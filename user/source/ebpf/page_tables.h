/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the kernel half must know of the memory to look at page-table entries (bpf/page_tables.h).
 */
#ifndef FORKTAX_SOURCE_EBPF_PAGE_TABLES_H
#define FORKTAX_SOURCE_EBPF_PAGE_TABLES_H

#include <stdbool.h>

struct forktax_bpf;

/* Before loading. False if frame numbers are hidden from forktax (CAP_SYS_ADMIN): then entries are not looked at. */
bool page_tables__configure(struct forktax_bpf *skeleton);

/* After loading: finds the kernel's map of all memory. Without it, entries are not looked at. */
void page_tables__find(const struct forktax_bpf *skeleton);

#endif
