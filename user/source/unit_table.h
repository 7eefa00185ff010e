/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sums of a watch by the name of the unit, over cgroups that come and go. Its size follows the number of cgroups and
 * names that there are, not how many there have ever been.
 */
#ifndef FORKTAX_SOURCE_UNIT_TABLE_H
#define FORKTAX_SOURCE_UNIT_TABLE_H

#include "base/hash.h"
#include "model/watch/watch.h"
#include "source/unit_reading.h"

enum {
	UNIT_NAMES_MOST = 200, /* further ones are "other"; those that run come first */
	UNIT_KINDS_MOST = 100, /* of children of one unit; parents of further ones have no name */
	UNIT_KEEP_SECONDS = 3600, /* how long one is listed that is gone */
};

struct unit_table {
	struct hash cgroups; /* of struct unit_cgroup, by id */
	struct hash names; /* of struct unit_sums, by name */
	struct unit_sums *other;
	uint64_t merged; /* names that found no room, or had to give it up */
	struct unit_value forgotten; /* counts of units that are not listed any more */
};

/* What the table asks its caller for. */
struct unit_counter {
	struct unit_reading *reading; /* the present one */
	double time; /* of it, in seconds since the epoch ... */
	double now; /* ... and of the clock that is never set */
	bool may_forget; /* `path` knows all cgroups that exist now, so that others are gone */
	/* The path of a cgroup that exists, NULL if it does not. */
	const char *(*path)(void *context, uint64_t cgroup);
	/* The path of one that does not exist any more, to be freed; NULL: nobody knows. */
	char *(*old_path)(void *context, uint64_t cgroup);
	/* As those of struct source. */
	bool (*take_unit)(void *context, uint64_t cgroup, struct unit_value *value);
	bool (*take_kind)(void *context, const struct unit_child_key *key, uint64_t *children);
	void *context;
};

void unit_table__take_in(struct unit_table *table, const struct unit_counter *counter);
/* Fills the units of a sample. */
void unit_table__copy(const struct unit_table *table, struct watch_sample *sample);
/* The ids of the cgroups of a unit, to be freed. */
uint64_t *unit_table__cgroups(const struct unit_table *table, const char *name, size_t *count);
/* NULL: there is no such unit any more. */
struct watch_pool *unit_table__pool(struct unit_table *table, const char *name);
void unit_table__release(struct unit_table *table);

#endif
