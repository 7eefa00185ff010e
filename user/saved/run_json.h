/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run as JSON, schema forktax/1 (docs/schema.md, docs/forktax-1.schema.json).
 */
#ifndef FORKTAX_SAVED_RUN_JSON_H
#define FORKTAX_SAVED_RUN_JSON_H

#include <stdio.h>

#include "model/run.h"

struct json_object;

/*
 * Writes the run as one JSON object and a newline. Strings that are not UTF-8 are made so.
 * Returns 0, or -1 with errno set if the stream failed (the caller then discards the file).
 */
int run_json__write(const struct run *run, FILE *stream);

/*
 * Reads a saved run. Returns NULL and stores a one-line reason (to be freed) if the text is not
 * JSON, is truncated, is not a forktax run, is of a newer schema, or contradicts itself.
 */
struct run *run_json__read(FILE *stream, char **reason);
/* The same from a tree, which stays the caller's. */
struct run *run_json__from(struct json_object *root, char **reason);

#endif
