/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What became of the pages of a parent's objects in its children (analysis/forks/page_map.h), for
 * people and for programs.
 */
#ifndef FORKTAX_REPORT_ANATOMY_PAGE_MAP_PRINT_H
#define FORKTAX_REPORT_ANATOMY_PAGE_MAP_PRINT_H

#include "format/table.h"
#include "model/run.h"

/*
 * The picture: one line or more for each object that has copied pages (or every one with faults in
 * the child, if `all`), and a legend. Prints nothing if there is nothing to show; else, an empty
 * line first.
 */
void page_map__print(const struct run *run, uint32_t group, bool all,
		     const struct table_output *output);

#endif
