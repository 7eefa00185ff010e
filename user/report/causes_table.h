/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why something takes its time, the most expensive cause first: of a fork, and of a start.
 */
#ifndef FORKTAX_REPORT_CAUSES_TABLE_H
#define FORKTAX_REPORT_CAUSES_TABLE_H

#include "format/table.h"
#include "model/run/run.h"
#include "report/options.h"

struct cause_row {
	double ns, calls, faults; /* ns NAN: not known */
	char *words;
};

struct causes_table {
	char *title; /* it takes ownership of that */
	double whole_ns; /* what the times are shares of; 0: not known */
	struct cause_row *rows;
	size_t count;
	double sum_ns;
};

/* Takes ownership of the words. */
void causes_table__add(struct causes_table *causes, double ns, double calls, double faults, char *words);
/*
 * Prints the first causes, the sum of the others, and what none of them explains, `rest` among it. Shares are of one
 * clock: together 100 %, or none is printed. Frees all.
 */
void causes_table__show(struct causes_table *causes, const char *rest, const struct report_options *options,
			const struct table_output *output);
/* The name of the object between these; NO_OBJECT: "other files". To be freed. */
char *causes_table__object(const struct run *run, uint32_t object, const char *before, const char *after);

#endif
