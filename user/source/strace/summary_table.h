/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tables that `strace -c` and -C print: calls and errors by name, with any columns (-U).
 */
#ifndef FORKTAX_SOURCE_STRACE_SUMMARY_TABLE_H
#define FORKTAX_SOURCE_STRACE_SUMMARY_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/strace/kind_counts.h"

enum { SUMMARY_COLUMNS_MOST = 8 };

struct summary_table {
	/* "calls", "errors", "syscall" and others, by the heading that was seen last. */
	int columns[SUMMARY_COLUMNS_MOST];
	int column_count;
	bool has_errors; /* its column; a table with -U may lack it */
	bool in_rows;
	enum abi abi;
	bool was_seen; /* a heading with its rule */
	bool is_wrong; /* the rows of a table do not add up to its total */
	bool lacks_errors; /* a table of them did */
	uint64_t calls, errors; /* of the rows of this table */
	struct kind_counts counts; /* of all tables */
};

/* Does a table begin with this line? */
bool summary_table__is_heading(const char *line);
/* Takes a line that is no event. False: it is no part of a table either. */
bool summary_table__take(struct summary_table *table, struct call_kinds *kinds, const char *line);
void summary_table__free(struct summary_table *table);

#endif
