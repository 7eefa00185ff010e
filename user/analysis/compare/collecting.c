// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/collecting.h"

#include "base/memory.h"

void collecting__add(const struct collecting *collecting, struct run_fact fact)
{
	struct run_facts *facts = collecting->facts;

	fact.column = collecting->column_index;
	fact.run = collecting->run_index;
	facts->list = checked_grow(facts->list, facts->count, sizeof(*facts->list));
	facts->list[facts->count++] = fact;
}
