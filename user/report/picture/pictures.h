/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pictures of a page (format/html/html_page.h), each with its numbers in a table that adds up. Each begins
 * a section of the page; where the run has nothing to show, nothing is shown.
 */
#ifndef FORKTAX_REPORT_PICTURE_PICTURES_H
#define FORKTAX_REPORT_PICTURE_PICTURES_H

#include "analysis/forks/fork_breakdown.h"
#include "analysis/forks/page_map.h"
#include "format/table.h"
#include "report/report_sections.h"

struct bench_analysis;
struct bindnow;
struct comparison;
struct workers;

/* Object by object and page by page, what became of the pages of a parent in its children. */
void picture__page_map(const struct run *run, uint32_t group, const struct page_map *map,
		       const struct table_output *output);
/*
 * The page maps of the two columns of a comparison over each other, for groups that both have, with what
 * is not the same marked; of the first run of each.
 */
void picture__page_maps(const struct comparison *comparison, const struct table_output *output);
/* Where the time of one fork goes, line by line; `breakdown` with a known whole. */
void picture__breakdown(const struct run *run, const struct fork_breakdown *breakdown,
			const struct table_output *output);
/* Parent and child of one typical fork on one clock, with the child's faults. */
void picture__waterfall(const struct run *run, uint32_t group, const struct table_output *output);
/* The slowest forks of the group that the run has, part by part beside the typical one. */
void picture__slowest(const struct run *run, uint32_t group, const struct table_output *output);
/* How the times of a call are distributed: `row` with buckets. */
void picture__histogram(const struct syscall_row *row, const struct table_output *output);
/* Times of a comparison's columns with their intervals; what is known of their counts. */
void picture__compare(const struct comparison *comparison, const struct table_output *output);
/* Times of all cells of a bench, a chart for each of its columns; or of a sweep, as curves. */
void picture__bench(const struct bench_analysis *analysis, const struct table_output *output);
/* What binding at start costs and saves, by the number of children. */
void picture__break_even(const struct bindnow *bindnow, const struct table_output *output);
/* The phases of a start, and the same on the clock with all calls, above the table of the phases. */
section_print_fn picture__start;
/* The memory of the members of a pool, by what became of it. */
void picture__workers(const struct workers *workers, const struct table_output *output);

#endif
