// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/remapped_frames.h"

#include "base/memory.h"

enum { MOST = 1 << 19 }; /* 8 MiB */

void remapped_frames__add(struct remapped_frames *remapped, uint64_t frame, uint32_t member)
{
	if (remapped->count == MOST) {
		remapped->full = true;
		return;
	}
	remapped->list = checked_grow(remapped->list, remapped->count, sizeof(*remapped->list));
	remapped->list[remapped->count++] = (struct remapped_frame){ frame, member, false };
}

static int by_frame(const void *left, const void *right)
{
	const struct remapped_frame *a = left, *b = right;

	return a->frame < b->frame ? -1 : a->frame > b->frame;
}

void remapped_frames__sort(struct remapped_frames *remapped)
{
	size_t count = 0;

	if (!remapped->count)
		return;
	qsort(remapped->list, remapped->count, sizeof(*remapped->list), by_frame);
	for (size_t i = 1; i < remapped->count; i++) {
		struct remapped_frame *last = &remapped->list[count];

		if (last->frame != remapped->list[i].frame)
			remapped->list[++count] = remapped->list[i];
		else
			last->several |= last->member != remapped->list[i].member;
	}
	remapped->count = count + 1;
}

static struct remapped_frame *find(const struct remapped_frames *remapped, uint64_t frame)
{
	const struct remapped_frame wanted = { .frame = frame };

	if (!remapped->count)
		return NULL;
	return bsearch(&wanted, remapped->list, remapped->count, sizeof(*remapped->list), by_frame);
}

void remapped_frames__see(struct remapped_frames *remapped, uint64_t frame, uint32_t member)
{
	struct remapped_frame *found = find(remapped, frame);

	if (found && found->member != member)
		found->several = true;
}

bool remapped_frames__is_shared(const struct remapped_frames *remapped, uint64_t frame)
{
	const struct remapped_frame *found = find(remapped, frame);

	return found && found->several;
}

void remapped_frames__release(struct remapped_frames *remapped)
{
	free(remapped->list);
	*remapped = (struct remapped_frames){ 0 };
}
