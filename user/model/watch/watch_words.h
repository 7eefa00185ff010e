/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of a watch are called where it is saved, exported and shown; copies of a sample.
 */
#ifndef FORKTAX_MODEL_WATCH_WATCH_WORDS_H
#define FORKTAX_MODEL_WATCH_WATCH_WORDS_H

#include "model/watch/watch.h"

extern const char *const watch_level_keys[WATCH_LEVELS];
extern const char *const watch_fate_keys[WATCH_FATES];
/* Of the buckets of watch_unit.fork_calls: seconds; the last one is "+Inf". */
extern const char *const watch_fork_bound_keys[WATCH_FORK_BUCKETS + 1];

/* Does the sample have the faults of the unit by class, and what follows from them? */
static inline bool watch_unit__is_classified(const struct watch_unit *unit, const struct watch_sample *sample)
{
	return sample->level == WATCH_CLASSES && unit->is_chosen;
}

/* Of all that it holds; NULL of NULL. */
struct watch_sample *watch_sample__copy(const struct watch_sample *sample);
/* Frees a sample whose units, groups and texts are owned; NULL is fine. */
void watch_sample__free(struct watch_sample *sample);

#endif
