/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Structs from a tree of JSON, by their rows. Nothing in the tree is trusted.
 */
#ifndef FORKTAX_SAVED_READ_H
#define FORKTAX_SAVED_READ_H

#include <json-c/json.h>

#include "model/fields.h"

/*
 * Fills a zeroed struct. Returns NULL, or a one-line reason (to be freed): what was filled until
 * then is for shape__release().
 */
char *document__read(const struct shape *shape, struct json_object *root, void *self);

#endif
