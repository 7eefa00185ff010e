/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Advice for people in all its forms: in rows, in full, as tables of a page.
 */
#ifndef FORKTAX_REPORT_ADVICE_ADVICE_TABLES_H
#define FORKTAX_REPORT_ADVICE_ADVICE_TABLES_H

#include "format/table.h"
#include "report/advice/advice_order.h"
#include "report/options.h"

/* The best as rows, and a sentence with what was tried and saved nothing; on a page, the tables below. */
void advice_rows__print(const struct advice_order *order, const struct report_options *options,
			const struct table_output *output);
/* What to do in a few words, with what it was tried by and the children that it is about; to be freed. */
char *advice_words__of(const struct advice_order *order, const struct advice *advice);
/* "LD_BIND_NOW=1: CPU time of 10 runs each way, alternating", why not, or "no"; to be freed. */
char *advice_words__tried(const struct advice *advice);
/* Each with its evidence. */
void advice_text__print(const struct advice_order *order, const struct table_output *output);
/* Begins a section of a page: what each saves ... */
void advice_tables__print(const struct advice_order *order, const struct table_output *output);
/* ... and what that rests on. */
void advice_tables__print_reasons(const struct advice_order *order, const struct table_output *output);

#endif
