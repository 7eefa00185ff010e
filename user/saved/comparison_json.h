/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_SAVED_COMPARISON_JSON_H
#define FORKTAX_SAVED_COMPARISON_JSON_H

#include <stdio.h>

#include "analysis/compare/comparison.h"

struct json_object;
struct reader;

#define COMPARE_SCHEMA "forktax-compare/1"

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
