/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text from anywhere to a json-c tree: nothing in it is trusted.
 */
#ifndef FORKTAX_SAVED_JSON_TEXT_H
#define FORKTAX_SAVED_JSON_TEXT_H

#include <json-c/json.h>
#include <stdio.h>

/*
 * Reads the whole stream. On failure stores a one-line reason (to be freed) and returns NULL:
 * unreadable, empty, too large, no JSON, cut off, nested too deeply, or a key twice in an object.
 */
struct json_object *json_text__parse(FILE *stream, char **reason);

#endif
