/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How advice is laid out for people, whatever it is about: a title, labelled paragraphs, and what it
 * saves, predicted beside measured.
 */
#ifndef FORKTAX_REPORT_ADVICE_ADVICE_LINES_H
#define FORKTAX_REPORT_ADVICE_ADVICE_LINES_H

#include "format/table.h"

void advice_lines__title(const char *rule, const char *title, const struct table_output *output);
/* Text NULL or "": nothing. */
void advice_lines__paragraph(const char *label, const char *text, const struct table_output *output);
/* The line above figures: what the columns are. */
void advice_lines__saves(const struct table_output *output);
void advice_lines__figures(const char *label, const char *predicted, const char *measured,
			   const struct table_output *output);

#endif
