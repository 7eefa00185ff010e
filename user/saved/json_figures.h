/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Figures of saved comparisons as JSON.
 */
#ifndef FORKTAX_SAVED_JSON_FIGURES_H
#define FORKTAX_SAVED_JSON_FIGURES_H

#include <json-c/json.h>
#include <stdio.h>

#include "analysis/stats.h"

/* An integer where it is one. */
struct json_object *json_figure__number(double value);
/* {"value", "low", "high"}, or null. */
struct json_object *json_figure__estimate(const struct estimate *estimate);
/* {"median", "min", "max"}, or null. */
struct json_object *json_figure__spread(const struct spread *spread);

/* Writes the value on one line, and frees it. */
void json_figure__put(struct json_object *value, FILE *stream);
/* Ends the outermost object. Returns 0, or -1 with errno set if anything could not be written. */
int json_figure__end(FILE *stream);

#endif
