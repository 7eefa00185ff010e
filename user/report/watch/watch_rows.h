/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What units did between two samples of a watch, as rows of numbers: one for each column of the live view.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_ROWS_H
#define FORKTAX_REPORT_WATCH_WATCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/watch/watch.h"

enum watch_column {
	WATCH_FORK_RATE,
	WATCH_EXEC_RATE,
	WATCH_COPY_RATE,
	WATCH_FAULT_RATE,
	WATCH_CALL_RATE,
	WATCH_FORK_TIME,
	WATCH_LOST_MEMORY,
	WATCH_PROCESSES,
	WATCH_NAME, /* of the unit: has no number */
	WATCH_COLUMN_COUNT,
};

struct watch_column_words {
	char key; /* that sorts by it */
	const char *header[2]; /* what, and in which unit */
	int spare; /* a narrow terminal does without the largest first; 0: it does not */
	const char *meaning; /* a line of the help */
};
extern const struct watch_column_words watch_columns[WATCH_COLUMN_COUNT];

struct watch_row {
	const struct watch_unit *unit, *before; /* NULL: it was not there */
	double values[WATCH_NAME]; /* NAN: not known */
};

struct watch_rows {
	struct watch_row *rows; /* sorted */
	size_t count;
	bool has[WATCH_COLUMN_COUNT]; /* columns that the level counts, and that are known of a unit at least */
	double seconds; /* between the samples; NAN: they cannot be compared */
};

/* Point into the samples. `before` may be NULL. Units that are gone and did nothing are left out. */
struct watch_rows watch_rows__of(const struct watch_sample *before, const struct watch_sample *now,
				 enum watch_column sort, bool is_reversed);
void watch_rows__free(struct watch_rows *rows);
/* The unit of that name; NULL: there is none. */
const struct watch_unit *watch_sample__unit(const struct watch_sample *sample, const char *name);
/* Seconds between the samples; NAN: counting started over between them, or the clock was set. */
double watch_sample__seconds(const struct watch_sample *before, const struct watch_sample *now);
/* How much a count of a unit has grown per second; NAN: not known. */
double watch_rate(uint64_t before, uint64_t now, double seconds);

#endif
