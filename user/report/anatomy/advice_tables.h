/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Advice about forks or a start as tables, for a page.
 */
#ifndef FORKTAX_REPORT_ANATOMY_ADVICE_TABLES_H
#define FORKTAX_REPORT_ANATOMY_ADVICE_TABLES_H

#include "format/table.h"
#include "report/anatomy/advice_order.h"

/* Begins a section of the page: what each saves. */
void advice_tables__print(const struct run *run, const struct advice_order *order, const char *title,
			  const struct table_output *output);
/* What that rests on. */
void advice_tables__print_reasons(const struct advice_order *order, const struct table_output *output);

#endif
