/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A sample of a watch as a line of JSON (docs/schema/schema-watch.md).
 */
#ifndef FORKTAX_SAVED_WATCH_JSON_H
#define FORKTAX_SAVED_WATCH_JSON_H

#include "model/watch/watch.h"

/* One JSON object without a newline; to be freed. `forktax report` reads it again. */
char *watch_json__line(const struct watch_sample *sample);

#endif
