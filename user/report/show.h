/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_REPORT_SHOW_H
#define FORKTAX_REPORT_SHOW_H

#include "format/table.h"

/* Prints and frees a table, with an empty line before it in text; NULL prints nothing. */
void report__show(struct table *table, const struct table_output *output);

#endif
