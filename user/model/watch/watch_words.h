/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of a watch are called where it is saved, exported and shown.
 */
#ifndef FORKTAX_MODEL_WATCH_WATCH_WORDS_H
#define FORKTAX_MODEL_WATCH_WATCH_WORDS_H

#include "model/watch/watch.h"

extern const char *const watch_level_keys[WATCH_LEVELS];
extern const char *const watch_fate_keys[WATCH_FATES];
/* Of the buckets of watch_unit.fork_calls: seconds; the last one is "+Inf". */
extern const char *const watch_fork_bound_keys[WATCH_FORK_BUCKETS + 1];

/* Frees a sample whose units, groups and texts are owned; NULL is fine. */
void watch_sample__free(struct watch_sample *sample);

#endif
