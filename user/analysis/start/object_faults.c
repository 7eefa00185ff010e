// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/start/object_faults.h"

bool start__knows_faults(const struct run *run)
{
	const struct sample *sample = run->anatomy ? anatomy__sample(run->anatomy, NO_GROUP) : NULL;

	return run->process_count && run->processes[0].image_count == 1 && sample && sample->children == 1;
}

bool start_object__has_row(const struct start_object *object, const struct anatomy_row *row)
{
	return row->group == NO_GROUP && place__has_object(&row->place) && row->place.object == object->object;
}

struct start_object_faults start_object__faults(const struct run *run, const struct start_object *object)
{
	struct start_object_faults sum = { 0 };

	if (!start__knows_faults(run))
		return (struct start_object_faults){ ABSENT, ABSENT };
	for (size_t i = 0; i < run->anatomy->row_count; i++) {
		const struct anatomy_row *row = &run->anatomy->rows[i];

		if (!start_object__has_row(object, row))
			continue;
		sum.faults += row->faults;
		if (fault_class__dirties(row->class))
			sum.dirtied += row->faults;
	}
	return sum;
}
