/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a source has counted by cgroup since it began (forktax watch).
 */
#ifndef FORKTAX_SOURCE_UNIT_READING_H
#define FORKTAX_SOURCE_UNIT_READING_H

#include <stddef.h>
#include <stdint.h>

#include "forktax.h"

struct unit_count {
	uint64_t cgroup; /* id; 0: those that found no room */
	struct unit_value value;
};

struct unit_kind {
	struct unit_child_key key;
	uint64_t children;
};

/* Kinds of events that are not in the counts. */
enum unit_loss { LOST_THREADS, LOST_UPDATES, LOST_MISSES, LOST_CALLS, UNIT_LOSSES };

struct unit_reading {
	struct unit_count *units;
	size_t unit_count;
	struct unit_kind *kinds;
	size_t kind_count;
	uint64_t look; /* whose number of processes is the present one */
	uint64_t lost[UNIT_LOSSES]; /* since counting began: the counts are too low */
	uint64_t passed[PASSED_COUNTS]; /* events of processes that are not watched */
};

void unit_reading__release(struct unit_reading *reading);

/* Of all kinds. */
uint64_t unit_losses__sum(const uint64_t *lost);
/*
 * What is to be said of one kind: at its first loss, and each time that it has doubled, so that a log stays short. To
 * be freed; NULL: there is nothing more to say. `said`: what was said of each kind, 0 at first.
 */
char *unit_losses__say(const uint64_t *lost, uint64_t *said);

#endif
