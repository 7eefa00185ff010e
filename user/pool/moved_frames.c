// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/moved_frames.h"

#include "base/memory.h"

enum { MOST = 1 << 19 }; /* 8 MiB */

void moved_frames__add(struct moved_frames *moved, uint64_t frame, uint32_t member)
{
	if (moved->count == MOST) {
		moved->full = true;
		return;
	}
	moved->list = checked_grow(moved->list, moved->count, sizeof(*moved->list));
	moved->list[moved->count++] = (struct moved_frame){ frame, member, false };
}

static int by_frame(const void *left, const void *right)
{
	const struct moved_frame *a = left, *b = right;

	return a->frame < b->frame ? -1 : a->frame > b->frame;
}

void moved_frames__sort(struct moved_frames *moved)
{
	size_t count = 0;

	if (!moved->count)
		return;
	qsort(moved->list, moved->count, sizeof(*moved->list), by_frame);
	for (size_t i = 1; i < moved->count; i++) {
		struct moved_frame *last = &moved->list[count];

		if (last->frame != moved->list[i].frame)
			moved->list[++count] = moved->list[i];
		else
			last->several |= last->member != moved->list[i].member;
	}
	moved->count = count + 1;
}

static struct moved_frame *find(const struct moved_frames *moved, uint64_t frame)
{
	const struct moved_frame wanted = { .frame = frame };

	if (!moved->count)
		return NULL;
	return bsearch(&wanted, moved->list, moved->count, sizeof(*moved->list), by_frame);
}

void moved_frames__see(struct moved_frames *moved, uint64_t frame, uint32_t member)
{
	struct moved_frame *found = find(moved, frame);

	if (found && found->member != member)
		found->several = true;
}

bool moved_frames__is_shared(const struct moved_frames *moved, uint64_t frame)
{
	const struct moved_frame *found = find(moved, frame);

	return found && found->several;
}

void moved_frames__release(struct moved_frames *moved)
{
	free(moved->list);
	*moved = (struct moved_frames){ 0 };
}
