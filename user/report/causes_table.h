/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why something takes its time, the most expensive cause first: of a fork, and of a start.
 */
#ifndef FORKTAX_REPORT_CAUSES_TABLE_H
#define FORKTAX_REPORT_CAUSES_TABLE_H

#include "format/table.h"
#include "model/run/run.h"
#include "report/options.h"

struct causes_table {
	double whole_ns; /* what the times are shares of; 0: not known */
	struct table *table;
};

/* Takes ownership of the title. */
struct causes_table causes_table__new(char *title, double whole_ns);
/* `ns` NAN: not known. Takes ownership of the words. */
void causes_table__add(const struct causes_table *causes, double ns, double calls, double faults, char *words);
/* Prints the first causes, and the sum of the others, and frees the table. */
void causes_table__show(struct causes_table *causes, const struct report_options *options,
			const struct table_output *output);
/* The name of the object between these; NO_OBJECT: "other files". To be freed. */
char *causes_table__object(const struct run *run, uint32_t object, const char *before, const char *after);

#endif
