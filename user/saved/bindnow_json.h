/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_SAVED_BINDNOW_JSON_H
#define FORKTAX_SAVED_BINDNOW_JSON_H

#include <stdio.h>

#include "analysis/bindnow/bindnow.h"

struct json_object;

#define BINDNOW_SCHEMA "forktax-bindnow/1"

/*
 * Schema forktax-bindnow/1 (docs/schema-bindnow.md), with the verdict in words. Returns 0, or -1
 * with errno set.
 */
int bindnow_json__write(const struct bindnow *bindnow, const char *verdict, FILE *stream);
/* Does it claim to be such a measurement, of whatever version? */
bool bindnow_json__is(struct json_object *root);
/* Returns NULL and stores a one-line reason (to be freed) if the tree is none. */
struct bindnow *bindnow_json__from(struct json_object *root, char **reason);

#endif
