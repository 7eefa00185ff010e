// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/anatomy/anatomy.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define RELOCATION_KEY(id, key) [RELOC_##id] = key,
const char *const relocation_keys[RELOC_KIND_COUNT] = { RELOCATION_KINDS(RELOCATION_KEY) };
#undef RELOCATION_KEY

const char *const binding_method_keys[BINDING_METHOD_COUNT] = {
	[BY_GOT_DIFFERENCE] = "got_difference",
	[BY_FIRST_SLOT] = "first_slot",
};

const char *const cost_keys[COST_COUNT] = {
#define COST(id, key, title) [COST_##id] = key,
#include "model/anatomy/costs.def"
#undef COST
};

const char *const cost_titles[COST_COUNT] = {
#define COST(id, key, title) [COST_##id] = title,
#include "model/anatomy/costs.def"
#undef COST
};

struct anatomy *anatomy__new(void)
{
	return checked_calloc(1, sizeof(struct anatomy));
}

const char *const generation_keys[GENERATION_COUNT] = {
	[GENERATION_UNKNOWN] = "unknown",
	[GENERATION_CHILD] = "children",
	[GENERATION_GRANDCHILD] = "grandchildren",
	[GENERATION_LATER] = "later",
};

bool place__has_object(const struct place *place)
{
	return place->kind == PLACE_FILE || place->kind == PLACE_BSS;
}

bool sample__is_mixed(const struct sample *sample)
{
	unsigned int different = 0;

	for (int i = 0; i < GENERATION_COUNT; i++)
		different += sample->generations[i] != 0;
	return different > 1;
}

const struct sample *anatomy__sample(const struct anatomy *anatomy, uint32_t group)
{
	for (size_t i = 0; i < anatomy->sample_count; i++)
		if (anatomy->samples[i].group == group)
			return &anatomy->samples[i];
	return NULL;
}

const struct fork_cost *anatomy__fork_cost(const struct anatomy *anatomy, uint32_t group)
{
	for (size_t i = 0; i < anatomy->fork_count; i++)
		if (anatomy->forks[i].group == group)
			return &anatomy->forks[i];
	return NULL;
}

const struct layout *anatomy__layout(const struct anatomy *anatomy, uint32_t group)
{
	for (size_t i = 0; i < anatomy->layout_count; i++)
		if (anatomy->layouts[i].group == group)
			return &anatomy->layouts[i];
	return NULL;
}

/*
 * All phases of a group are divided by its recorded children: a fault of the parent belongs to a
 * child, and who never exec'd has an exec'd image with no faults. Roots count themselves: a
 * command is one, with -p there may be several; and they are there even if the sample says nothing.
 */
double anatomy__per_child(const struct anatomy *anatomy, const struct anatomy_row *row)
{
	const struct sample *sample = anatomy__sample(anatomy, row->group);

	if (sample && sample->children)
		return (double)row->faults / sample->children;
	return row->group == NO_GROUP ? row->faults : 0;
}

double anatomy_row__ns(const struct anatomy_row *row)
{
	return row->timed ? (double)row->ns / row->timed : NAN;
}

double anatomy_row__all_ns(const struct anatomy_row *row)
{
	return row->timed ? (double)row->ns / row->timed * row->faults : 0;
}

double anatomy_row__since(const struct anatomy_row *row)
{
	return row->faults ? (double)row->since_ns / row->faults : 0;
}

static uint64_t count_in(const char *pages, const char *kinds)
{
	uint64_t count = 0;

	for (; *pages; pages++)
		count += strchr(kinds, *pages) != NULL;
	return count;
}

struct vma_pages layout_vma__count(const struct layout_vma *vma)
{
	struct vma_pages count = { 0 };

	if (vma->present != ABSENT) {
		count.present = (double)vma->present;
		count.own = (double)vma->own;
		count.huge = (double)vma->huge;
	} else if (vma->pages) {
		count.present = (double)count_in(vma->pages, "af");
		count.own = (double)count_in(vma->pages, "a");
	}
	return count;
}
