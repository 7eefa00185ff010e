// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/pool_groups.h"

#include "base/memory.h"

struct group_slot {
	uint64_t frame, page;
	uint32_t group;
};

void pool_groups__new(struct pool_groups *groups, size_t views)
{
	*groups = (struct pool_groups){ .slot_count = 8 };
	while (groups->slot_count < 2 * views)
		groups->slot_count *= 2;
	groups->list = checked_calloc(views, sizeof(*groups->list));
	groups->of = checked_calloc(views, sizeof(*groups->of));
	groups->slots = checked_calloc(groups->slot_count, sizeof(*groups->slots));
}

void pool_groups__release(struct pool_groups *groups)
{
	free(groups->list);
	free(groups->of);
	free(groups->slots);
}

/* The group of that frame; a new one if there is none. */
static struct pool_group *find(struct pool_groups *groups, uint64_t frame)
{
	size_t at = frame * 0x9e3779b97f4a7c15 >> 32 & (groups->slot_count - 1);
	struct group_slot *slot = &groups->slots[at];

	while (slot->page == groups->page && slot->frame != frame) {
		at = (at + 1) & (groups->slot_count - 1);
		slot = &groups->slots[at];
	}
	if (slot->page != groups->page) {
		*slot = (struct group_slot){ frame, groups->page, groups->count };
		groups->list[groups->count++] = (struct pool_group){ .frame = frame };
	}
	return &groups->list[slot->group];
}

void pool_groups__find(struct pool_groups *groups, const struct pool_window *window, unsigned int page)
{
	groups->page++;
	groups->count = 0;
	for (size_t i = 0; i < window->view_count; i++) {
		uint64_t frame = window->views[i].frame[page];
		struct pool_group *group;

		groups->of[i] = NO_GROUP_HERE;
		if (!frame__is_page(frame))
			continue;
		if (i && frame == window->views[i - 1].frame[page]) /* as most do */
			group = &groups->list[groups->of[i - 1]];
		else
			group = find(groups, frame);
		groups->of[i] = group - groups->list;
		if (!group->members++)
			group->first = i;
	}
	for (size_t i = 0; i < groups->count; i++) {
		struct pool_group *group = &groups->list[i];

		group->merged = window->frames->seen && group->members > 1 &&
				frames__is_merged(window->frames, group->frame);
		group->mappings = group->members == 1 && window->views[group->first].alone[page];
	}
}

/* Is it seen to be shared by a fork? */
static bool is_proven(const struct pool_group *group)
{
	if (group->merged || group->frame == FRAME_UNKNOWN)
		return false;
	return group->members > 1 || group->frame == FRAME_COMMON;
}

const struct pool_group *pool_groups__proven(const struct pool_groups *groups)
{
	const struct pool_group *best = NULL;

	for (size_t i = 0; i < groups->count; i++) {
		const struct pool_group *group = &groups->list[i];

		if (is_proven(group) && (!best || group->members > best->members))
			best = group;
	}
	return best;
}
