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
	[COST_SYSCALL] = "syscall",	  [COST_COPY] = "copy",
	[COST_REUSE] = "reuse",		  [COST_FILL] = "fill",
	[COST_ZERO_PAGE] = "zero_page",	  [COST_MAP] = "map",
	[COST_MAP_AROUND] = "map_around", [COST_FILE_COPY] = "file_copy",
	[COST_PAGE_TABLE] = "page_table", [COST_FORK_PAGE] = "fork_page",
	[COST_FORK_UNCACHED] = "fork_uncached",
	[COST_FORK_CALL] = "fork_call",	  [COST_FORK_TABLE] = "fork_table",
	[COST_FORK_HUGE] = "fork_huge",
	[COST_VMA] = "vma",		  [COST_MAPPING] = "mapping",
	[COST_FORK] = "fork",		  [COST_VFORK] = "vfork",
	[COST_SPAWN] = "spawn",		  [COST_SYMBOL] = "symbol",
};

const char *const cost_titles[COST_COUNT] = {
	[COST_SYSCALL] = "system call",
	[COST_COPY] = "COW copy",
	[COST_REUSE] = "COW reuse",
	[COST_FILL] = "zero-fill",
	[COST_ZERO_PAGE] = "zero page",
	[COST_MAP] = "file page mapped",
	[COST_MAP_AROUND] = "file pages mapped, 16 at once",
	[COST_FILE_COPY] = "file page copied",
	[COST_PAGE_TABLE] = "page-table page",
	[COST_FORK_PAGE] = "fork, per page",
	[COST_FORK_UNCACHED] = "fork, per page, nothing in the caches",
	[COST_FORK_CALL] = "of that, before the call returns",
	[COST_FORK_TABLE] = "fork, per page table",
	[COST_FORK_HUGE] = "fork, per huge page",
	[COST_VMA] = "fork, per mapping",
	[COST_MAPPING] = "fork, per mapping without tables",
	[COST_FORK] = "fork, exit, wait",
	[COST_VFORK] = "vfork, exit, wait",
	[COST_SPAWN] = "posix_spawn, beyond vfork",
	[COST_SYMBOL] = "symbol looked up",
};

struct anatomy *anatomy__new(void)
{
	return checked_calloc(1, sizeof(struct anatomy));
}

struct against *against__new(void)
{
	return checked_calloc(1, sizeof(struct against));
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
