/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pictures of a page (format/html/html_page.h), each with its numbers in a table that adds up. Each begins
 * a section of the page; where the run has nothing to show, nothing is shown.
 */
#ifndef FORKTAX_REPORT_PICTURE_PICTURES_H
#define FORKTAX_REPORT_PICTURE_PICTURES_H

#include "format/table.h"
#include "report/report_sections.h"

struct comparison;
struct workers;

/* Parent and child of one typical fork on one clock, with the child's faults. */
void picture__waterfall(const struct run *run, uint32_t group, const struct table_output *output);
/* Times of a comparison's columns with their intervals; what is known of their counts. */
void picture__compare(const struct comparison *comparison, const struct table_output *output);
/* The phases of a start, and the same on the clock with all calls, above the table of the phases. */
section_print_fn picture__start;
/* The memory of the members of a pool, by what became of it. */
void picture__workers(const struct workers *workers, const struct table_output *output);

#endif
