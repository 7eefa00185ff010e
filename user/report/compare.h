/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A comparison for its readers: pure functions of the comparison, so that what was saved prints
 * as it did live.
 */
#ifndef FORKTAX_REPORT_COMPARE_H
#define FORKTAX_REPORT_COMPARE_H

#include <stdio.h>

#include "analysis/compare.h"
#include "format/table.h"
#include "report/filter.h"
#include "report/sort.h"

struct json_object;
struct reader;

#define COMPARE_SCHEMA "forktax-compare/1"

struct compare_view {
	bool quiet;	    /* the table only; what was lost or could not be told is said all the same */
	enum sort_key sort; /* SORT_DEFAULT and SORT_CALLS: as in the comparison; SORT_NAME */
	const struct filter *filter; /* NULL: every call */
};

/* A table with counters as rows and builds as columns; as CSV one line per value. */
void compare__print(const struct comparison *comparison, const struct compare_view *view,
		    const struct table_output *output);

/* Schema forktax-compare/1 (docs/schema-compare.md). Returns 0, or -1 with errno set. */
int compare_json__write(const struct comparison *comparison, FILE *stream);
/* Does it claim to be a comparison, of whatever version? */
bool compare_json__is(struct json_object *root);
/* Returns NULL and stores a one-line reason (to be freed) if the tree is no such comparison. */
struct comparison *compare_json__from(struct json_object *root, char **reason);

/*
 * The same for other schemas that hold columns: their members "columns" and "runs" behind what
 * the stream has already. -1 with errno set if a run could not be written.
 */
int compare_json__put_columns(const struct comparison *comparison, FILE *stream);
/* To be freed by compare_columns__free(); NULL if the reader has found something wrong. */
struct compare_column *compare_json__columns(struct reader *reader, struct json_object *root,
					     size_t *count);

#endif
