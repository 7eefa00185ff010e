// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/collecting.h"

#include "base/memory.h"

void collecting__add(const struct collecting *collecting, struct thing thing)
{
	struct things *things = collecting->things;

	thing.column = collecting->column_index;
	thing.run = collecting->run_index;
	things->list = checked_grow(things->list, things->count, sizeof(*things->list));
	things->list[things->count++] = thing;
}
