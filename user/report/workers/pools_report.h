/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several pools as a list.
 */
#ifndef FORKTAX_REPORT_WORKERS_POOLS_REPORT_H
#define FORKTAX_REPORT_WORKERS_POOLS_REPORT_H

#include "format/table.h"
#include "model/workers/workers.h"
#include "report/options.h"

struct pools {
	struct workers **list; /* in the order of rows */
	size_t count;
	size_t left_out; /* could not be read */
	char *reason; /* of the first of these; NULL: none */
};

/* `pools`: a struct pools. */
void pools_report__print(const void *pools, const struct report_options *options, const struct table_output *output);

#endif
