/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bindnow measurement for its readers: pure functions of it, so that what was saved prints as it
 * did live.
 */
#ifndef FORKTAX_REPORT_BINDNOW_H
#define FORKTAX_REPORT_BINDNOW_H

#include <stdio.h>

#include "analysis/bindnow.h"
#include "format/table.h"

struct json_object;

#define BINDNOW_SCHEMA "forktax-bindnow/1"

/* Tables and a verdict; as CSV one line per figure. `quiet`: without what was run, and how. */
void bindnow__print(const struct bindnow *bindnow, bool quiet, const struct table_output *output);

/* Schema forktax-bindnow/1 (docs/schema-bindnow.md). Returns 0, or -1 with errno set. */
int bindnow_json__write(const struct bindnow *bindnow, FILE *stream);
/* Does it claim to be such a measurement, of whatever version? */
bool bindnow_json__is(struct json_object *root);
/* Returns NULL and stores a one-line reason (to be freed) if the tree is none. */
struct bindnow *bindnow_json__from(struct json_object *root, char **reason);

#endif
