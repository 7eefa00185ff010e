/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Frames that two members share at different addresses, because one of them has moved the mapping
 * (mremap) or because pages were merged. Whoever is alone with a frame at its address is looked for
 * elsewhere.
 */
#ifndef FORKTAX_POOL_MOVED_FRAMES_H
#define FORKTAX_POOL_MOVED_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moved_frame {
	uint64_t frame;
	uint32_t member;
	bool several; /* members have it */
};

struct moved_frames {
	struct moved_frame *list; /* owned; after moved_frames__sort() in order of frames, each once */
	size_t count;
	bool full; /* there were more than there was room for: those are not looked for */
};

void moved_frames__add(struct moved_frames *moved, uint64_t frame, uint32_t member);
void moved_frames__sort(struct moved_frames *moved);
/* A frame that a member has, at any address: if it was added for another one, both share it. */
void moved_frames__see(struct moved_frames *moved, uint64_t frame, uint32_t member);
bool moved_frames__is_shared(const struct moved_frames *moved, uint64_t frame);
void moved_frames__release(struct moved_frames *moved);

#endif
