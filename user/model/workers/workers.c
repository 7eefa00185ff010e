// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/workers/workers.h"

#include "base/memory.h"
#include "model/rows/fields.h"

struct workers *workers__new(void)
{
	struct workers *workers = checked_calloc(1, sizeof(*workers));

	workers->version = checked_strdup(FORKTAX_VERSION);
	workers->machine = machine__here();
	workers->has_state = workers->has_master = true;
	return workers;
}

void workers__free(struct workers *workers)
{
	shape__free(&workers_shape, workers);
}

void workers__miss(struct workers *workers, const char *what, const char *why, const char *remedy)
{
	struct workers_gap *gap;

	workers->gaps = checked_grow(workers->gaps, workers->gap_count, sizeof(*workers->gaps));
	gap = &workers->gaps[workers->gap_count++];
	gap->what = checked_strdup(what);
	gap->why = checked_strdup(why);
	gap->remedy = remedy ? checked_strdup(remedy) : NULL;
}
