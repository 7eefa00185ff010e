/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory of a pool for its readers: pure functions of what was found, so that what was saved
 * prints as it did live.
 */
#ifndef FORKTAX_REPORT_WORKERS_WORKERS_REPORT_H
#define FORKTAX_REPORT_WORKERS_WORKERS_REPORT_H

#include "base/quantity.h"
#include "format/table.h"
#include "model/workers/workers.h"
#include "report/options.h"

/* The answer, or with -v all sentences and tables; for programs all tables. */
void workers_report__print(const struct workers *workers, const struct report_options *options,
			   const struct table_output *output);

/* Members that were created or ended during the reading, and what could not be read. */
void workers_report__print_warnings(const struct workers *workers, const struct table_output *output);
/* The answer alone. */
void workers_report__print_brief(const struct workers *workers, const struct report_options *options,
				 const struct table_output *output);

/* In that unit, without its name; "." for none. */
struct cell workers_cells__pages(uint64_t pages, struct unit unit, uint64_t page_bytes);
/* Its tables. They, and what they are of, are freed by the caller. */
struct table *workers_tables__members(const struct workers *workers, const struct report_options *options);
struct table *workers_tables__largest(const struct workers *workers,
				      const struct report_options *options); /* of the brief report */
struct table *workers_tables__cost(const struct workers *workers); /* what exists once, and what a worker costs */
struct table *workers_tables__mappings(const struct workers *workers,
				       const struct report_options *options); /* of all workers together */

/* What is behind the verdict, in paragraphs. */
void workers_words__print(const struct workers *workers, const struct table_output *output);
/* What the changed contents look like, to be freed; NULL: unknown. */
char *workers_words__hint(const struct workers *workers);
/* How much memory, and how much of that are copies; to be freed. */
char *workers_words__verdict(const struct workers *workers);

#endif
