/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of a comparison as texts, before it is known how many columns fit side by side.
 */
#ifndef FORKTAX_REPORT_COMPARE_COMPARE_GRID_H
#define FORKTAX_REPORT_COMPARE_COMPARE_GRID_H

#include "report/compare/comparison_report.h"

enum grid_kind { GRID_SECTION, GRID_ROW };

struct grid_row {
	enum grid_kind kind;
	char *header;
	char **cells; /* one per column; NULL for a section */
};

struct compare_grid {
	const struct comparison *comparison;
	struct grid_row *rows;
	size_t row_count;
};

void compare_grid__section(struct compare_grid *grid, const char *header);
/* Starts a row; its cells are then to be filled with texts to be freed. */
char **compare_grid__row(struct compare_grid *grid, const char *header);
void compare_grid__free(struct compare_grid *grid); /* its contents */

/* The parts of the table, top to bottom. */
void compare_grid__add_file(struct compare_grid *grid);
void compare_grid__add_counts(struct compare_grid *grid, const struct compare_view *view);
void compare_grid__add_time(struct compare_grid *grid);

__attribute__((format(printf, 1, 2))) char *compare__text(const char *format, ...);
/* Text from anywhere as a line of its own. */
void compare__print_line(const char *text, const struct table_output *output);
/*
 * A line for each column that is not exact, and for each with faults that could not be told apart:
 * what was lost comes before all figures.
 */
void compare__print_losses(const struct comparison *comparison, const struct table_output *output);
/* Is the row part of the table under this view? */
bool compare_view__shows(const struct compare_view *view, const struct compare_row *row);

#endif
