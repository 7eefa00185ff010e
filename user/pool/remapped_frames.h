/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Frames that two members share at different addresses, because one of them has moved the mapping
 * (mremap) or because pages were merged. A member that is alone with a frame at its address is searched for
 * elsewhere.
 */
#ifndef FORKTAX_POOL_REMAPPED_FRAMES_H
#define FORKTAX_POOL_REMAPPED_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct remapped_frame {
	uint64_t frame;
	uint32_t member;
	bool several; /* members have it */
};

struct remapped_frames {
	struct remapped_frame *list; /* owned; after remapped_frames__sort() in order of frames, each once */
	size_t count;
	bool full; /* there were more than there was room for: those are not searched for */
};

void remapped_frames__add(struct remapped_frames *remapped, uint64_t frame, uint32_t member);
void remapped_frames__sort(struct remapped_frames *remapped);
/* A frame that a member has, at any address: if it was added for another one, both share it. */
void remapped_frames__see(struct remapped_frames *remapped, uint64_t frame, uint32_t member);
bool remapped_frames__is_shared(const struct remapped_frames *remapped, uint64_t frame);
void remapped_frames__release(struct remapped_frames *remapped);

#endif
