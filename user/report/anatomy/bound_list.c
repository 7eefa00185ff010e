// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy/bound_list.h"

#include "base/memory.h"

uint64_t bound__children(const struct bound *bound)
{
	return bound->generation == GENERATION_COUNT ? bound->symbol->children
						     : bound->symbol->generations[bound->generation];
}

uint64_t bound__of(const struct bound *bound)
{
	if (!bound->sample)
		return 0;
	return bound->generation == GENERATION_COUNT ? bound->sample->children
						     : bound->sample->generations[bound->generation];
}

const char *bound__whose(const struct bound *bound)
{
	static const char *const whose[] = {
		[GENERATION_UNKNOWN] = "of a generation not known",
		[GENERATION_CHILD] = "children",
		[GENERATION_GRANDCHILD] = "grandchildren",
		[GENERATION_LATER] = "of later generations",
		[GENERATION_COUNT] = "",
	};

	return whose[bound->generation];
}

struct bound *bound_list__of(const struct anatomy *anatomy, size_t *count)
{
	struct bound *list = checked_calloc(anatomy->symbol_count * GENERATION_COUNT, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < anatomy->symbol_count; i++) {
		struct bound bound = { &anatomy->symbols[i], anatomy__sample(anatomy, anatomy->symbols[i].group),
				       GENERATION_COUNT };

		if (!bound.sample || !sample__is_mixed(bound.sample)) {
			list[(*count)++] = bound;
			continue;
		}
		for (bound.generation = 0; bound.generation < GENERATION_COUNT; bound.generation++)
			if (bound__children(&bound))
				list[(*count)++] = bound;
	}
	return list;
}
