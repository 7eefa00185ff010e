// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/tree/tree_times.h"

uint64_t tree_row__cpu(const struct tree_row *row)
{
	uint64_t sum = 0;

	for (int part = 0; part < TREE_COUNT; part++)
		sum += row->cpu_ns[part];
	return sum;
}

uint64_t tree_times__cpu(const struct tree_times *times)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < times->count; i++)
		sum += tree_row__cpu(&times->rows[i]);
	return sum;
}

uint64_t tree_times__part(const struct tree_times *times, enum tree_part part)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < times->count; i++)
		sum += times->rows[i].cpu_ns[part];
	return sum;
}

uint64_t tree_times__wall(const struct tree_times *times, enum tree_part part)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < times->count; i++)
		sum += times->rows[i].wall_ns[part];
	return sum;
}

static uint64_t images(const struct tree_times *times, bool executed)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < times->count; i++)
		sum += times->rows[i].executed == executed ? times->rows[i].images : 0;
	return sum;
}

uint64_t tree_times__starts(const struct tree_times *times)
{
	return images(times, true);
}

uint64_t tree_times__copies(const struct tree_times *times)
{
	return images(times, false);
}
