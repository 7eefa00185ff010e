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

/* What is new since the last reading. */
struct unit_copies {
	struct copy_key key;
	uint64_t copies;
	struct copy_stack *stack; /* owned; NULL: it has none, or the stack found no room */
};

struct unit_reading {
	struct unit_count *units;
	size_t unit_count;
	struct unit_kind *kinds;
	size_t kind_count;
	struct unit_copies *copies; /* if they were asked for */
	size_t copies_count;
	int32_t *pids; /* of the processes that are counted now, perhaps several times; only with -p */
	size_t pid_count;
	uint64_t look; /* whose number of processes is the present one */
	uint64_t lost; /* events: the counts are too low */
	uint64_t passed[PASSED_COUNTS]; /* events of processes that are not watched */
};

void unit_reading__release(struct unit_reading *reading);

#endif
