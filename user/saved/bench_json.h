/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bench as JSON, schema forktax-bench/1 (docs/schema-bench.md).
 */
#ifndef FORKTAX_SAVED_BENCH_JSON_H
#define FORKTAX_SAVED_BENCH_JSON_H

#include <json-c/json.h>
#include <stdio.h>

#include "model/bench.h"

/* Returns 0, or -1 with errno set. */
int bench_json__write(const struct bench *bench, FILE *stream);
/* Does it claim to be a bench, of whatever version? */
bool bench_json__is(struct json_object *root);
/* Returns NULL and stores a one-line reason (to be freed) if the tree is none. */
struct bench *bench_json__from(struct json_object *root, char **reason);

#endif
