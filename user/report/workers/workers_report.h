/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory of a pool for its readers: pure functions of what was found, so that what was saved
 * prints as it did live.
 */
#ifndef FORKTAX_REPORT_WORKERS_WORKERS_REPORT_H
#define FORKTAX_REPORT_WORKERS_WORKERS_REPORT_H

#include "format/table.h"
#include "model/workers.h"

struct workers_view {
	bool quiet; /* tables only, and what could not be known */
	bool all; /* every worker and every mapping, also for people */
};

/* Sentences and tables; for programs all tables. */
void workers_report__print(const struct workers *workers, const struct workers_view *view,
			   const struct table_output *output);

/* A line of numbers, and the line that names them; each ends with a newline. */
void workers_line__head(FILE *stream);
void workers_line__print(const struct workers *workers, FILE *stream);

/* Its tables. They, and what they are of, are freed by the caller. */
struct table *workers_tables__members(const struct workers *workers, bool all);
/* Of all workers together for people, of each for programs. */
struct table *workers_tables__mappings(const struct workers *workers, bool all,
				       enum table_view view);
struct table *workers_tables__books(const struct workers *workers, bool all);
struct table *workers_tables__pool(const struct workers *workers); /* for programs */
struct table *workers_tables__gaps(const struct workers *workers); /* for programs */

/* What it comes to: paragraphs, each to be freed; NULL ends them. The array is the caller's. */
enum { WORKERS_SENTENCES = 10 };
void workers_words__sentences(const struct workers *workers, char *sentences[WORKERS_SENTENCES]);
/* "63.1 MiB" */
char *workers_words__size(uint64_t bytes);
char *workers_words__age(uint64_t ns);

#endif
